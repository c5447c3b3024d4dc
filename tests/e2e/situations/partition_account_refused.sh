# SPDX-License-Identifier: Apache-2.0
# Its partition does not admit its account.
reason='*not permitted to use this partition*'
class=constraint
make() {
    partition dev AllowAccounts=vision
    job=$(submit alice -A llm -p dev)
}
facts='.root_cause.summary | test("llm") and test("AllowAccounts")'
