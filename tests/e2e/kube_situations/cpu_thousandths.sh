# SPDX-License-Identifier: Apache-2.0
# Half a core is missing on the one node, and amounts are counted in thousandths.
says='*1 Insufficient cpu, 63 node(s) didn*t match Pod*s node affinity/selector.*'
class=constraint
make() {
    hold 1 1 "cpu: 94750m"
    shaped p "cpu: 1500m" "$(on_node 1)" | apply
}
facts='(.root_cause.summary | contains("1.5 cpu")) and (.constraints | any(.name == "NodeResourcesFit" and .only == 1))'
