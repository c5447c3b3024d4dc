# SPDX-License-Identifier: Apache-2.0
# No node has the label to spread over.
says='*64 node(s) didn*t match pod topology spread constraints (missing required label).*'
class=impossible
make() { shaped p "$(gpus 1)" "$(spread s absent)" "labels: {app: s}" | apply; }
facts='.root_cause.summary | contains("absent")'
