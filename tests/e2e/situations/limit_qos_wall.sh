# SPDX-License-Identifier: Apache-2.0
# It asks for more time than a job of its QOS may have.
reason='QOSMaxWallDurationPerJobLimit'
class=limit
make() {
    limits qos where name=normal set MaxWall=10
    job=$(submit alice -t 30)
}
facts='.blocking.limits | any(.name == "MaxWallPJ" and .limit == 10 and .requested == 30 and .request_alone_exceeds)'
