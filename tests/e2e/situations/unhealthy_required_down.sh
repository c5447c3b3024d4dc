# SPDX-License-Identifier: Apache-2.0
# The node it names is down.
reason='*ReqNodeNotAvail*'
class=unhealthy_nodes
make() {
    down node0001 'no power'
    job=$(submit alice -w node0001)
}
facts='.blocking.unhealthy_nodes | any(.name == "node0001" and .state == "down")'
