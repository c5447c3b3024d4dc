# SPDX-License-Identifier: Apache-2.0
# It asks for more nodes than its partition gives one job.
reason='PartitionNodeLimit'
class=limit
make() {
    partition dev MaxNodes=1
    job=$(submit alice -p dev -N2)
}
facts='.blocking.limits | any(.name == "MaxNodes" and .limit == 1 and .requested == 2 and .request_alone_exceeds)'
