# SPDX-License-Identifier: Apache-2.0
# Either rack would do, and both are full.
says='*16 Insufficient nvidia.com/gpu, 48 node(s) didn*t match*'
class=constraint
make() {
    hold 1 16 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001]}" "{key: rack, operator: In, values: [rack-002]}")" | apply
}
