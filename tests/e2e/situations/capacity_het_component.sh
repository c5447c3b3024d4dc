# SPDX-License-Identifier: Apache-2.0
# The second component of the het job finds no GPU.
reason='*'
class=capacity
make() {
    wait_until_state "$(submit bob -p dev -N2 --gres=gpu:8)" RUNNING
    job=$(submit alice -p train -n1 : -p dev --gres=gpu:1)+1
}
facts='.gpus.free == 0'
