# SPDX-License-Identifier: Apache-2.0
# It asks for more CPUs than a job of its association may have.
reason='AssocMaxCpuPerJobLimit'
class=limit
make() {
    limits user where name=alice account=llm set MaxTRESPerJob=cpu=4
    job=$(submit alice -n6)
}
facts='.blocking.limits | any(.name == "MaxTRESPJ" and .limit == 4 and .requested == 6 and .request_alone_exceeds)'
