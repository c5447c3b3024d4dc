# SPDX-License-Identifier: Apache-2.0
# Every node is cordoned.
says='*64 node(s) were unschedulable.*'
class=unhealthy_nodes
make() {
    cordon $(node_names 1 64)
    shaped p "$(gpus 1)" | apply
}
facts='.root_cause.summary | startswith("64 nodes would hold it")'
