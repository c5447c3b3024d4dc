# SPDX-License-Identifier: Apache-2.0
# Kueue holds quota for a Job and waits for a check of somebody else.
since=29
needs=kueue
owner='Job train'
class=dependency
make() {
    kueue_queues 8 4
    suspended_job train 1 4
    kueue_workload job-train batch/v1/Job/train 1 4
    has_status workload job-train "conditions: [$(condition QuotaReserved True QuotaReserved)], admissionChecks: [{name: budget, state: Pending, message: not paid yet, lastTransitionTime: \"$(date -u +%FT%TZ)\"}], admission: {clusterQueue: cq, podSetAssignments: [{name: main, flavors: {nvidia.com/gpu: h100}, resourceUsage: {nvidia.com/gpu: 4}, count: 1}]}"
}
facts='.summary | contains("budget (Pending: not paid yet)")'
