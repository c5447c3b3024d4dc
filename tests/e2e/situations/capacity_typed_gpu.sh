# SPDX-License-Identifier: Apache-2.0
# Every GPU of the type it names is in use.
reason='Resources'
class=capacity
make() {
    wait_until_state "$(submit bob -p dev -N2 --gres=gpu:a100:8)" RUNNING
    job=$(submit alice -p dev --gres=gpu:a100:2)
}
facts='.constraints | any(.name == "gres/gpu:a100" and .ruled_out == 2)'
