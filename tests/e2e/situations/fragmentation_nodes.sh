# SPDX-License-Identifier: Apache-2.0
# It wants two whole nodes, and one is empty; enough GPUs are free in sum.
reason='Resources'
class=fragmentation
make() {
    wait_until_state "$(submit bob -p all -w node[0000-0004] -N5 --gres=gpu:4)" RUNNING
    wait_until_state "$(submit bob -p all -w node[0006-0007] -N2 --gres=gpu:2)" RUNNING
    job=$(submit alice -p all -N2 --gres=gpu:8)
}
facts='.gpus.requested == 16 and .gpus.largest_hole == 8 and .gpus.free == 40 and .fit.nodes_passing == 1 and .fit.nodes_needed == 2'
