# SPDX-License-Identifier: Apache-2.0
# The kubelet of its node reports that it is not ready.
says='*1 node(s) had untolerated taint(s), 63*'
class=unhealthy_nodes
make() {
    node_not_ready gpu-001
    shaped p "$(gpus 1)" "$(on_node 1)" | apply
}
facts='.root_cause.summary | contains("gpu-001 (not-ready)")'
