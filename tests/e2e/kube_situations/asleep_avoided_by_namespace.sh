# SPDX-License-Identifier: Apache-2.0
# A pod that avoided it through a namespaceSelector is gone, which wakes nobody.
says='*1 node(s) didn*t satisfy existing pods anti-affinity rules, 63*'
class=not_considered
make() {
    namespace team "kind: data"
    shaped team/shy "$(gpus 1)" "nodeName: gpu-001, affinity: {$(without_pods "$(term loud kubernetes.io/hostname "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}")")}" | apply
    shaped p "$(gpus 1)" "$(on_node 1)" "labels: {app: loud}" | apply
    wait_unschedulable p
    kubectl delete pod -n team shy
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule"))'
counted=no
remedy() { push; }
