# SPDX-License-Identifier: Apache-2.0
# It fits, but a bigger job ahead of it waits for the same nodes.
reason='Priority'
class=priority
make() {
    wait_until_state "$(submit bob -p dev -N1 --gres=gpu:8)" RUNNING
    wait_reason "$(submit carol -A vision -q high -p dev -N2 --gres=gpu:8 -t 60)" Resources
    job=$(submit alice -p dev --gres=gpu:1 -t 4:00:00 --nice=100000)
}
facts='.fits_now and (.blocking.ahead | length) == 1'
