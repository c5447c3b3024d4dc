# SPDX-License-Identifier: Apache-2.0
# It may have one node, and its tasks are spread over three, two on each.
reason='AssocMaxNodePerJobLimit'
class=limit
make() {
    limits account where name=llm set MaxTRESPerJob=node=1
    job=$(submit alice -N3 --ntasks-per-node=2)
}
facts='.blocking.limits | any(.resource == "node" and .limit == 1 and .requested == 3)'
