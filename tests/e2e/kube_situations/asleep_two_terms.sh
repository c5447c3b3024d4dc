# SPDX-License-Identifier: Apache-2.0
# It avoids two kinds of pods; that the one which kept it out is gone wakes nobody.
says='*1 node(s) didn*t match pod anti-affinity rules, 63*'
class=not_considered
make() {
    shaped q "$(gpus 1)" "nodeName: gpu-001" "labels: {app: one}" | apply
    shaped p "$(gpus 1)" "$(on_node 1), affinity: {$(without_pods "$(term one kubernetes.io/hostname), $(term two kubernetes.io/hostname)")}" | apply
    wait_unschedulable p
    kubectl delete pod q
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule")) and any(contains("several anti-affinity terms"))'
counted=no
remedy() { push; }
