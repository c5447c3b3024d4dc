# SPDX-License-Identifier: Apache-2.0
# Its node has left the rack of the pod that avoids it, which wakes nobody.
says='*8 node(s) didn*t satisfy existing pods anti-affinity rules.*'
class=not_considered
make() {
    shaped shy "$(gpus 1)" "nodeName: gpu-001, affinity: {$(without_pods "$(term loud rack)")}" | apply
    shaped p "$(gpus 1)" "$(node_affinity "{key: kubernetes.io/hostname, operator: In, values: [$(node_names 1 8 | paste -sd,)]}")" "labels: {app: loud}" | apply
    wait_unschedulable p
    kubectl label node gpu-008 rack=rack-new --overwrite
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule")) and any(contains("forbidden domain"))'
counted=no
remedy() { push; }
