# SPDX-License-Identifier: Apache-2.0
# It may preempt jobs of one QOS, but those of another fill its partition beside the one that it may.
reason='Resources'
class=capacity
make() {
    for node in node0006 node0007; do
        wait_until_state "$(submit bob -q normal -p dev -w $node --gres=gpu:6)" RUNNING
    done
    wait_until_state "$(submit bob -q scavenger -p dev --gres=gpu:1)" RUNNING
    job=$(submit carol -A vision -q high -p dev --gres=gpu:8)
}
facts='.details | any(contains("preemption cannot help: it may preempt jobs of QOS scavenger, and even the end of all 1"))'
