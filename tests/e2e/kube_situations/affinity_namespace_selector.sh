# SPDX-License-Identifier: Apache-2.0
# The pod that it wants to be near is in a namespace that its selector does not choose.
since=22
says='*64 node(s) didn*t match pod affinity rules.*'
class=constraint
make() {
    namespace team "kind: web"
    shaped team/db "$(gpus 1)" "nodeName: gpu-001" "labels: {app: db}" | apply
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname "namespaceSelector: {matchLabels: {kind: data}}")")}" | apply
}
