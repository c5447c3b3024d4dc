# SPDX-License-Identifier: Apache-2.0
# Enough GPUs are free in sum, but not eight on one node.
reason='Resources'
class=fragmentation
make() {
    local node
    for node in node0006 node0007; do
        wait_until_state "$(submit bob -p dev -w $node --gres=gpu:4)" RUNNING
    done
    job=$(submit alice -p dev --gres=gpu:8)
}
facts='.gpus.free == 8 and .gpus.largest_hole == 4 and .gpus.requested == 8'
