# SPDX-License-Identifier: Apache-2.0
# Whole nodes bring the memory of all their CPUs, which is more than its account may use.
reason='AssocGrpMemLimit'
class=limit
make() {
    limits account where name=llm set GrpTRES=mem=300G
    job=$(submit alice --exclusive -N2)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "mem" and .requested == 2 * 64 * 4000 * 1048576)'
