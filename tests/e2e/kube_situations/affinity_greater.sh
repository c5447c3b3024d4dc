# SPDX-License-Identifier: Apache-2.0
# No number is large enough.
says='*64 node(s) didn*t match Pod*s node affinity/selector.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_affinity "{key: nvidia.com/gpu.memory, operator: Gt, values: [\"90000\"]}")" | apply; }
