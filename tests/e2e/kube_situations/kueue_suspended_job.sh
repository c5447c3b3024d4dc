# SPDX-License-Identifier: Apache-2.0
# Kueue keeps a Job suspended, whose pods do not exist: more GPUs than its queue may ever have.
since=29
needs=kueue
owner='Job train'
class=impossible
make() {
    kueue_queues 8 0
    suspended_job train 3 4
    kueue_workload job-train batch/v1/Job/train 3 4
    has_status workload job-train "conditions: [$(condition QuotaReserved False Pending "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor h100, request > maximum capacity (12 > 8)")]"
}
facts='.missing == 3 and (.summary | contains("12 nvidia.com/gpu asked, 0 of 8 in use in flavor h100, so 4 too few")) and (.summary | contains("number 1 of 1"))'
