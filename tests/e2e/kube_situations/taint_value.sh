# SPDX-License-Identifier: Apache-2.0
# It tolerates another value of the taint.
says='*8 node(s) had untolerated taint(s).*'
class=constraint
make() {
    taint $(node_names 1 8) team=red:NoSchedule
    shaped p "$(gpus 1)" "$(on_rack 1), tolerations: [{key: team, value: blue, effect: NoSchedule}]" | apply
}
facts='.constraints | any(.name == "TaintToleration" and (.detail | contains("team=red:NoSchedule (8 nodes)")))'
remedy() { taint gpu-003 team-; }
