# SPDX-License-Identifier: Apache-2.0
# Its partition accepts and starts no jobs any more.
reason='PartitionInactive'
class=limit
make() {
    job=$(submit alice -p dev --begin=now+5)
    partition dev State=INACTIVE
}
facts='.root_cause.summary | test("INACTIVE")'
