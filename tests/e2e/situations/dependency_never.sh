# SPDX-License-Identifier: Apache-2.0
# It waits for the success of a job that failed.
reason='DependencyNeverSatisfied'
class=dependency
make() {
    local first
    first=$(as alice sbatch --parsable -o /dev/null --wrap 'exit 1')
    wait_until_state "$first" FAILED
    job=$(submit alice --gres=gpu:1 --dependency=afterok:"$first")
}
facts='.root_cause.summary | test("never")'
