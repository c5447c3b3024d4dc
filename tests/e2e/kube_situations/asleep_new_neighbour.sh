# SPDX-License-Identifier: Apache-2.0
# A neighbour that a namespaceSelector finds has come, which wakes nobody.
says='*64 node(s) didn*t match pod affinity rules.*'
class=not_considered
make() {
    namespace team "kind: data"
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname "namespaceSelector: {matchLabels: {kind: data}}")")}" | apply
    wait_unschedulable p
    shaped team/db "$(gpus 1)" "nodeName: gpu-001" "labels: {app: db}" | apply
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule")) and any(contains("namespaceSelector"))'
counted=no
remedy() { push; }
