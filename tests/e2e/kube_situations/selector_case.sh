# SPDX-License-Identifier: Apache-2.0
# Labels are compared letter by letter.
says='*64 node(s) didn*t match Pod*s node affinity/selector.*'
class=impossible
make() { shaped p "$(gpus 1)" "nodeSelector: {rack: Rack-001}" | apply; }
facts='.root_cause.summary | contains("rack=Rack-001")'
