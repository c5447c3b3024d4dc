# SPDX-License-Identifier: Apache-2.0
# It would fit, but the scheduler looks at one job in each cycle, and others are first.
reason='*'
class=not_considered
make() {
    local first
    cp "$SLURM_CONF" "$SLURM_CONF.before"
    sed -i 's/bf_max_job_test=[0-9]*/bf_max_job_test=1/; s/default_queue_depth=[0-9]*/default_queue_depth=1/; s/sched_interval=[0-9]*/sched_interval=-1/' "$SLURM_CONF"
    scontrol reconfigure
    wait_until_state "$(submit bob -p dev -N1 --gres=gpu:8)" RUNNING
    first=$(submit carol -A vision -q high -p dev -N2 --gres=gpu:8)
    for _ in 1 2; do submit carol -A vision -q high -p dev -N2 --gres=gpu:8; done
    wait_reason "$first" Resources
    # A job is tried at once when it is submitted, whatever the depth; one that is released is not.
    job=$(submit alice -p train --gres=gpu:1 --nice=1000000 --hold)
    scontrol release "$job"
    sleep 8
}
restore() {
    mv "$SLURM_CONF.before" "$SLURM_CONF"
    scontrol reconfigure
}
facts='.fits_now'
