# SPDX-License-Identifier: Apache-2.0
# A word is not less than a number.
says='*64 node(s) didn*t match Pod*s node affinity/selector.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: Lt, values: [\"5\"]}")" | apply; }
