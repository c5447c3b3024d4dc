# SPDX-License-Identifier: Apache-2.0
# The kubelet of its node is gone.
says='*1 node(s) had untolerated taint(s), 63*'
class=unhealthy_nodes
make() {
    node_silent gpu-001
    wait_node gpu-001 Unknown
    shaped p "$(gpus 1)" "$(on_node 1)" | apply
}
facts='.root_cause.summary | contains("gpu-001 (unreachable)")'
