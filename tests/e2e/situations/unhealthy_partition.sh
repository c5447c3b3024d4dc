# SPDX-License-Identifier: Apache-2.0
# Both nodes of its partition are drained.
reason='*'
class=unhealthy_nodes
make() {
    drain node[0006-0007] 'switch broken'
    job=$(submit alice -p dev --gres=gpu:8)
}
facts='(.blocking.unhealthy_nodes | length) == 2'
