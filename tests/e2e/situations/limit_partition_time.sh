# SPDX-License-Identifier: Apache-2.0
# It asks for more time than its partition gives.
reason='PartitionTimeLimit'
class=limit
make() {
    job=$(submit alice -p dev -t 5:00:00)
}
facts='.blocking.limits | any(.name == "MaxTime" and .limit == 240 and .requested == 300 and .request_alone_exceeds)'
