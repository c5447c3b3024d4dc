# SPDX-License-Identifier: Apache-2.0
# It may run longer than the time until its nodes are set aside.
reason='*'
class=reservation
make() {
    reserve soon starttime=now+30minutes users=carol nodes=node[0006-0007]
    job=$(submit alice -p dev -t 120 --gres=gpu:8)
}
facts='.blocking.reservations | any(.name == "soon" and (.nodes | length) == 2)'
