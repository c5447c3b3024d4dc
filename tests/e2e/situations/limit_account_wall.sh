# SPDX-License-Identifier: Apache-2.0
# It asks for more time than a job of its account may have.
reason='AssocMaxWallDurationPerJobLimit'
class=limit
make() {
    limits user where name=alice account=llm set MaxWall=10
    job=$(submit alice -t 30)
}
facts='.blocking.limits | any(.name == "MaxWallPJ" and .limit == 10 and .requested == 30 and .request_alone_exceeds)'
