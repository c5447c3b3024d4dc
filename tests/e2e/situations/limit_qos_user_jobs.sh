# SPDX-License-Identifier: Apache-2.0
# Its owner runs all the jobs that a user of the QOS may run.
reason='QOSMaxJobsPerUserLimit'
class=limit
make() {
    limits qos where name=normal set MaxJobsPerUser=1
    wait_until_state "$(submit alice)" RUNNING
    job=$(submit alice)
}
facts='.blocking.limits | any(.name == "MaxJobsPU" and .limit == 1 and .used == 1)'
