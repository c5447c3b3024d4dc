# SPDX-License-Identifier: Apache-2.0
# The LocalQueue is held by its operator.
since=29
needs=kueue
owner='Job train'
class=hold
make() {
    kueue_queues 8 0
    kubectl patch localqueue team --type=merge -p 'spec: {stopPolicy: Hold}'
    suspended_job train 1 1
    kueue_workload job-train batch/v1/Job/train 1 1
}
facts='.summary | contains("LocalQueue team is stopped (Hold)")'
