# SPDX-License-Identifier: Apache-2.0
# It excludes the only nodes with room.
reason='Resources'
class=constraint
make() {
    wait_until_state "$(submit bob -p dev -w node0006 --gres=gpu:8)" RUNNING
    job=$(submit alice -p dev -x node0007 --gres=gpu:8)
}
facts='.constraints | any(.name == "excluded_nodes" and .ruled_out == 1)'
