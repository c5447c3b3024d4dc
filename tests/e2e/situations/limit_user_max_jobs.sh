# SPDX-License-Identifier: Apache-2.0
# Its owner runs all the jobs he may run in this account.
reason='AssocMaxJobsLimit'
class=limit
make() {
    limits user where name=erin account=ads set MaxJobs=1
    wait_until_state "$(submit erin)" RUNNING
    job=$(submit erin)
}
facts='.blocking.limits | any(.name == "MaxJobs" and .limit == 1 and .used == 1)'
