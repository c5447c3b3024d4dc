# SPDX-License-Identifier: Apache-2.0
# One more in this rack would be too many, and the other one is full.
says='*48 node(s)*8 Insufficient nvidia.com/gpu*8 node(s) didn*t match pod topology spread constraints*'
class=constraint
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}"
    hold 9 16 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001, rack-002]}"), $(spread s rack)" "labels: {app: s}" | apply
}
