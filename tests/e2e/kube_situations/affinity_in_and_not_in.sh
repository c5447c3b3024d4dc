# SPDX-License-Identifier: Apache-2.0
# What it asks for and what it excludes are the same nodes.
says='*64 node(s) didn*t match Pod*s node affinity/selector.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001, rack-002]}, {key: rack, operator: NotIn, values: [rack-001, rack-002]}")" | apply; }
