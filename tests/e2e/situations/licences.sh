# SPDX-License-Identifier: Apache-2.0
# Both licences are in use.
reason='Licenses'
class=licence
make() {
    wait_until_state "$(submit bob -L matlab:2)" RUNNING
    job=$(submit alice -L matlab:1)
}
facts='.root_cause.summary | test("matlab")'
