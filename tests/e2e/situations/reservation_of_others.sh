# SPDX-License-Identifier: Apache-2.0
# The only nodes with room are set aside for somebody else.
reason='*'
class=reservation
make() {
    reserve theirs users=carol nodes=node[0006-0007]
    job=$(submit alice -p dev --gres=gpu:8)
}
facts='(.blocking.reservations | any(.name == "theirs" and (.nodes | length) == 2)) and (.constraints | any(.name == "reservation" and .ruled_out == 2))'
