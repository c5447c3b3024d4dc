# SPDX-License-Identifier: Apache-2.0
# One node lacks three things at once, so the counts exceed the nodes.
says='*1 Insufficient cpu, 1 Insufficient memory, 1 Insufficient nvidia.com/gpu, 63*'
class=constraint
make() {
    hold 1 1 "cpu: 96, memory: 1Ti, $(gpus 8)"
    shaped p "cpu: 1, memory: 1Gi, $(gpus 1)" "$(on_node 1)" | apply
}
