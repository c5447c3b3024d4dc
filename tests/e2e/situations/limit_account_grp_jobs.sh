# SPDX-License-Identifier: Apache-2.0
# Its account runs all the jobs it may run.
reason='AssocGrpJobsLimit'
class=limit
make() {
    limits account where name=llm set GrpJobs=1
    wait_until_state "$(submit bob)" RUNNING
    job=$(submit alice)
}
facts='.blocking.limits | any(.name == "GrpJobs" and .limit == 1 and .used == 1)'
