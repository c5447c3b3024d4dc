# SPDX-License-Identifier: Apache-2.0
# It wants 14 GPUs on two nodes by --gpus, and the best two hold 12.
reason='Resources'
class=fragmentation
make() {
    wait_until_state "$(submit bob -p all -w node[0000-0007] -N8 --gres=gpu:2)" RUNNING
    job=$(submit alice -p all -N2 --gpus=14)
}
facts='.gpus.requested == 14 and .gpus.largest_hole == 6 and (.fits_now | not)'
