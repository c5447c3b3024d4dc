# SPDX-License-Identifier: Apache-2.0
# The first component of the het job fits, the second finds no GPU.
reason='*'
class=gang
make() {
    wait_until_state "$(submit bob -p dev -N2 --gres=gpu:8)" RUNNING
    job=$(submit alice -p train -n1 : -p dev --gres=gpu:1)+0
}
facts='.fits_now and (.root_cause.summary | contains("+1 cannot (capacity)"))'
