# SPDX-License-Identifier: Apache-2.0
# The CPU minutes that jobs of its account may still run are used up.
reason='AssocGrpCPURunMinutesLimit'
class=limit
make() {
    limits account where name=llm set GrpTRESRunMins=cpu=500
    wait_until_state "$(submit bob -n8 -t 60)" RUNNING
    job=$(submit alice -n1 -t 60)
}
facts='.blocking.limits | any(.name == "GrpTRESRunMins" and .resource == "cpu" and .limit == 500 and .requested == 60)'
