# SPDX-License-Identifier: Apache-2.0
# Its account has all its nodes in use.
reason='AssocGrpNodeLimit'
class=limit
make() {
    limits account where name=llm set GrpTRES=node=2
    wait_until_state "$(submit bob -N2 --exclusive)" RUNNING
    job=$(submit alice -N1)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "node" and .limit == 2 and .used == 2 and .requested == 1)'
