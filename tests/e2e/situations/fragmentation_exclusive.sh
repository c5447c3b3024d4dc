# SPDX-License-Identifier: Apache-2.0
# It wants a whole node, and each one has a small job on it.
reason='Resources'
class=fragmentation
make() {
    local node
    for node in node0006 node0007; do
        wait_until_state "$(submit bob -p dev -w $node -n1)" RUNNING
    done
    job=$(submit alice -p dev --exclusive --gres=gpu:8)
}
facts='.fits_now | not'
