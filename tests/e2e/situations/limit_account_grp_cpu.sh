# SPDX-License-Identifier: Apache-2.0
# Its account has nearly all its CPUs in use.
reason='AssocGrpCpuLimit'
class=limit
make() {
    limits account where name=llm set GrpTRES=cpu=20
    wait_until_state "$(submit bob -n16)" RUNNING
    job=$(submit alice -n8)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "cpu" and .limit == 20 and .used == 16 and .requested == 8)'
