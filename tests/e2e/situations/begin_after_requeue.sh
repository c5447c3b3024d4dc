# SPDX-License-Identifier: Apache-2.0
# It was requeued, and Slurm makes requeued jobs wait two minutes.
reason='BeginTime'
class=begin_time
make() {
    job=$(submit alice --gres=gpu:1)
    wait_until_state "$job" RUNNING && scontrol requeue "$job"
}
facts='.fits_now'
