# SPDX-License-Identifier: Apache-2.0
# Every node has the label that must be absent.
says='*64 node(s) didn*t match Pod*s node affinity/selector.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_affinity "{key: nvidia.com/gpu.present, operator: DoesNotExist}")" | apply; }
