# SPDX-License-Identifier: Apache-2.0
# Every GPU of its partition is in use.
reason='Resources'
class=capacity
make() {
    wait_until_state "$(submit bob -p dev -N2 --gres=gpu:8)" RUNNING
    job=$(submit alice -p dev --gres=gpu:1)
}
facts='.gpus.free == 0 and (.fits_now | not)'
