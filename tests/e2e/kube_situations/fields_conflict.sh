# SPDX-License-Identifier: Apache-2.0
# It must be on two nodes at once.
says='0/64 nodes are available: pod affinity terms conflict.*'
class=impossible
make() { shaped p "$(gpus 1)" "$(node_fields "{key: metadata.name, operator: In, values: [gpu-001]}, {key: metadata.name, operator: In, values: [gpu-002]}")" | apply; }
