# SPDX-License-Identifier: Apache-2.0
# It waits for a job that still runs.
reason='Dependency'
class=dependency
make() {
    local first
    first=$(submit alice --gres=gpu:1)
    job=$(submit alice --gres=gpu:1 --dependency=afterok:"$first")
}
facts='.root_cause.summary | test("afterok")'
