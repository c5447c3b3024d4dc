# SPDX-License-Identifier: Apache-2.0
# Kueue holds it at its gate: the quota has two GPUs left, it wants four, and another is ahead of it.
since=29
needs=kueue
says='*non-empty scheduling gates*'
class=limit
make() {
    kueue_queues 8 6
    shaped first "$(gpus 4)" 'schedulingGates: [{name: kueue.x-k8s.io/admission}]' | apply
    shaped p "$(gpus 4)" 'schedulingGates: [{name: kueue.x-k8s.io/admission}]' 'labels: {kueue.x-k8s.io/queue-name: team}' | apply
    kueue_workload pod-first v1/Pod/first 1 4 10
    kueue_workload pod-p v1/Pod/p 1 4
    has_status workload pod-p "conditions: [$(condition QuotaReserved False Pending "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed")]"
}
facts='(.root_cause.summary | contains("4 nvidia.com/gpu asked, 6 of 8 in use in flavor h100, so 2 too few")) and (.details | any(contains("number 2 of 2 that wait in ClusterQueue cq"))) and .blocking.limits[0].holder == "ClusterQueue cq, flavor h100" and (.owners | map(.kind + " " + .name) == ["Workload pod-p", "LocalQueue team"])'
