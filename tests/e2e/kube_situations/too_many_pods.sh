# SPDX-License-Identifier: Apache-2.0
# The node holds as many pods as it may.
says='*1 Too many pods, 63*'
class=constraint
make() {
    local i
    for i in {1..110}; do shaped "small-$i" "" "nodeName: gpu-001"; done | apply
    shaped p "" "$(on_node 1)" | apply
}
facts='.constraints | any(.name == "NodeResourcesFit" and (.detail | contains("a place among")))'
