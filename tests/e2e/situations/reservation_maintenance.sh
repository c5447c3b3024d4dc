# SPDX-License-Identifier: Apache-2.0
# It would run into the maintenance of all nodes of its partition.
reason='*ReqNodeNotAvail*'
class=reservation
make() {
    reserve maint starttime=now+10minutes duration=60 nodes=ALL flags=MAINT,IGNORE_JOBS
    job=$(submit alice -t 30)
}
facts='.blocking.reservations | any(.name == "maint")'
