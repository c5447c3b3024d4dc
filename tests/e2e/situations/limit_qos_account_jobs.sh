# SPDX-License-Identifier: Apache-2.0
# Its account runs all the jobs that an account of the QOS may run.
reason='MaxJobsPerAccount'
class=limit
make() {
    limits qos where name=normal set MaxJobsPerAccount=1
    wait_until_state "$(submit bob)" RUNNING
    job=$(submit alice)
}
facts='.blocking.limits | any(.name == "MaxJobsPA" and .limit == 1 and .used == 1)'
