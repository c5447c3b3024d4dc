# SPDX-License-Identifier: Apache-2.0
# The node it names is full; others have room.
reason='*'
class=constraint
make() {
    wait_until_state "$(submit bob -p dev -w node0006 --gres=gpu:8)" RUNNING
    job=$(submit alice -p dev -w node0006 --gres=gpu:8)
}
facts='.constraints | any(.name == "required_nodes")'
