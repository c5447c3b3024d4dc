# SPDX-License-Identifier: Apache-2.0
# The one node it may use is cordoned.
says='*1 node(s) were unschedulable, 63*'
class=unhealthy_nodes
make() {
    cordon gpu-001
    shaped p "$(gpus 1)" "$(on_node 1)" | apply
}
facts='.blocking.unhealthy_nodes | length == 1 and .[0].name == "gpu-001" and .[0].would_fit'
remedy() { uncordon gpu-001; }
