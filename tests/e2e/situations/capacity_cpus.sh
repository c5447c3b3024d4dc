# SPDX-License-Identifier: Apache-2.0
# Every CPU of its partition is in use.
reason='Resources'
class=capacity
make() {
    wait_until_state "$(submit bob -p dev -N2 -n128 --mem=0)" RUNNING
    job=$(submit alice -p dev -n1 --mem=1G)
}
facts='.fits_now | not'
