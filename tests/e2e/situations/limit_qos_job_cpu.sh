# SPDX-License-Identifier: Apache-2.0
# It asks for more CPUs than a job of its QOS may have.
reason='QOSMaxCpuPerJobLimit'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerJob=cpu=4
    job=$(submit alice -n6)
}
facts='.blocking.limits | any(.name == "MaxTRESPJ" and .limit == 4 and .requested == 6 and .request_alone_exceeds)'
