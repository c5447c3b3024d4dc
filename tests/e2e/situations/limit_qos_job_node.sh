# SPDX-License-Identifier: Apache-2.0
# It asks for more nodes than a job of its QOS may have.
reason='QOSMaxNodePerJobLimit'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerJob=node=1
    job=$(submit alice -N2)
}
facts='.blocking.limits | any(.name == "MaxTRESPJ" and .limit == 1 and .requested == 2 and .request_alone_exceeds)'
