# SPDX-License-Identifier: Apache-2.0
# Another job of its name and owner runs.
reason='Dependency'
class=dependency
make() {
    local first
    first=$(submit alice -J one --gres=gpu:1)
    wait_until_state "$first" RUNNING
    job=$(submit alice -J one --gres=gpu:1 --dependency=singleton)
}
facts='.root_cause.summary | test("singleton")'
