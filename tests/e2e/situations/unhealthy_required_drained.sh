# SPDX-License-Identifier: Apache-2.0
# The node it names is drained.
reason='*ReqNodeNotAvail*'
class=unhealthy_nodes
make() {
    drain node0001 'bad dimm'
    job=$(submit alice -w node0001)
}
facts='.blocking.unhealthy_nodes == [.blocking.unhealthy_nodes[] | select(.name == "node0001" and .reason == "bad dimm" and .would_fit)] and (.blocking.unhealthy_nodes | length) == 1'
