# SPDX-License-Identifier: Apache-2.0
# The node that it names is full; the others are not looked at.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t satisfy plugin(s) ?NodeAffinity?.*'
class=constraint
make() {
    hold 1 1 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(node_fields "{key: metadata.name, operator: In, values: [gpu-001]}")" | apply
}
