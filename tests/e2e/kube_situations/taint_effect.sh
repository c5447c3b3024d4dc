# SPDX-License-Identifier: Apache-2.0
# It tolerates the taint with another effect.
says='*8 node(s) had untolerated taint(s).*'
class=constraint
make() {
    taint $(node_names 1 8) team=red:NoExecute
    shaped p "$(gpus 1)" "$(on_rack 1), tolerations: [{key: team, operator: Exists, effect: NoSchedule}]" | apply
}
