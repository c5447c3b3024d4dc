# SPDX-License-Identifier: Apache-2.0
# Nodes without the label are not excluded by it.
says='0/64 nodes are available: 64 Insufficient nvidia.com/gpu.*'
class=impossible
make() { shaped p "$(gpus 9)" "$(node_affinity "{key: absent, operator: NotIn, values: [a]}")" | apply; }
