# SPDX-License-Identifier: Apache-2.0
# No node has the label by which they are to be together.
says='*64 node(s) didn*t match pod affinity rules.*'
class=impossible
make() { shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term team absent)")}" "labels: {app: team}" | apply; }
facts='.root_cause.summary | contains("absent")'
