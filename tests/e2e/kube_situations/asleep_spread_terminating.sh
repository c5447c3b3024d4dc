# SPDX-License-Identifier: Apache-2.0
# The surplus pod is being deleted and no longer counts, which wakes nobody before it is gone.
says='*8 node(s) didn*t match pod topology spread constraints*'
class=not_considered
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}, annotations: {schedlens.test/hang: \"true\"}"
    taint $(node_names 9 16) team=red:NoSchedule
    shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001, rack-002]}"), $(spread s rack)" "labels: {app: s}" | apply
    wait_unschedulable p
    kubectl delete pod held-gpu-001 --wait=false
    stays_asleep
}
facts='.details | any(contains("PreferNoSchedule")) and any(contains("stops counting"))'
counted=no
remedy() { push; }
