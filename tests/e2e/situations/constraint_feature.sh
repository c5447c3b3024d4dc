# SPDX-License-Identifier: Apache-2.0
# The nodes with the feature it wants are full; others have room.
reason='Resources'
class=constraint
make() {
    wait_until_state "$(submit bob -p all -N2 -C rackB --gres=gpu:8)" RUNNING
    job=$(submit alice -p all -C rackB --gres=gpu:8)
}
facts='.constraints | any(.name == "features" and .ruled_out == 6 and .only == 6)'
