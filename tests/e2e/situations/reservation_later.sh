# SPDX-License-Identifier: Apache-2.0
# Its reservation begins in an hour.
reason='Reservation'
class=reservation
make() {
    reserve later starttime=now+60minutes duration=60 users=alice nodes=node0000
    job=$(submit alice --reservation=later)
}
facts='.blocking.reservations | any(.name == "later")'
