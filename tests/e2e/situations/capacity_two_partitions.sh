# SPDX-License-Identifier: Apache-2.0
# Both partitions it names are full.
reason='*'
class=capacity
make() {
    wait_until_state "$(submit bob -p all -N8 --gres=gpu:8)" RUNNING
    job=$(submit alice -p train,dev --gres=gpu:1)
}
facts='.gpus.free == 0 and (.fits_now | not)'
