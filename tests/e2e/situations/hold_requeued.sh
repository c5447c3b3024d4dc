# SPDX-License-Identifier: Apache-2.0
# An administrator put it back into the queue on hold while it ran.
reason='*requeued in held state*'
class=hold
make() {
    job=$(submit alice --gres=gpu:1)
    wait_until_state "$job" RUNNING && scontrol requeuehold "$job"
    wait_until_state "$job" PENDING
}
facts='.fits_now'
