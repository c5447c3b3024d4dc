# SPDX-License-Identifier: Apache-2.0
# Its QOS may run one job, and does.
reason='QOSGrpJobsLimit'
class=limit
make() {
    limits qos where name=normal set GrpJobs=1
    wait_until_state "$(submit bob)" RUNNING
    job=$(submit alice)
}
facts='.blocking.limits | any(.name == "GrpJobs" and .limit == 1 and .used == 1)'
