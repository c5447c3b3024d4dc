# SPDX-License-Identifier: Apache-2.0
# The node of its own reservation is full.
reason='*'
class=capacity
make() {
    reserve ours users=alice nodes=node0003
    wait_until_state "$(submit alice --reservation=ours --gres=gpu:8)" RUNNING
    job=$(submit alice --reservation=ours --gres=gpu:1)
}
facts='.constraints | any(.name == "own_reservation" and .ruled_out == 7)'
