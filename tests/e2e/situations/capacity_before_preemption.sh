# SPDX-License-Identifier: Apache-2.0
# It may preempt the job that fills its partition, and that one may not be preempted yet.
reason='Resources'
class=capacity
make() {
    limits qos where name=scavenger set PreemptExemptTime=01:00:00
    wait_until_state "$(submit bob -q scavenger -p dev -N2 --gres=gpu:8)" RUNNING
    job=$(submit carol -A vision -q high -p dev --gres=gpu:8)
}
facts='(.details | any(contains("may preempt jobs of QOS scavenger: the end of job") and
                         contains("may be preempted from"))) and .unsure == []'
