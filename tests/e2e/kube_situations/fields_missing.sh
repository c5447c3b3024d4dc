# SPDX-License-Identifier: Apache-2.0
# The node that it names does not exist.
says='*64 node(s) didn*t satisfy plugin(s) ?NodeAffinity?.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_fields "{key: metadata.name, operator: In, values: [nowhere]}")" | apply; }
