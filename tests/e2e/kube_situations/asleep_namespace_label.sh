# SPDX-License-Identifier: Apache-2.0
# The namespace now has the label that was asked for, which the scheduler does not notice.
says='*64 node(s) didn*t match pod affinity rules.*'
class=not_considered
make() {
    namespace team
    shaped team/db "$(gpus 1)" "nodeName: gpu-001" "labels: {app: db}" | apply
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname "namespaceSelector: {matchLabels: {kind: data}}")")}" | apply
    wait_unschedulable p
    kubectl label namespace team kind=data
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule")) and any(contains("namespaces"))'
counted=no
remedy() { push; }
