# SPDX-License-Identifier: Apache-2.0
# Tainted nodes count as places to spread over.
says='*8 node(s) didn*t match pod topology spread constraints, 8 node(s) had untolerated taint(s).*'
class=constraint
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}"
    taint $(node_names 9 16) team=red:NoSchedule
    shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001, rack-002]}"), $(spread s rack)" "labels: {app: s}" | apply
}
