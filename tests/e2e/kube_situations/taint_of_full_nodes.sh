# SPDX-License-Identifier: Apache-2.0
# Nodes that are tainted and full count as tainted.
says='*8 node(s) had untolerated taint(s).*'
class=constraint
make() {
    taint $(node_names 1 8) team=red:NoSchedule
    hold 1 8 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(on_rack 1)" | apply
}
facts='.constraints | any(.name == "TaintToleration" and .ruled_out == 8 and .only == 0)'
