# SPDX-License-Identifier: Apache-2.0
# Its partition starts no jobs.
reason='PartitionDown'
class=limit
make() {
    partition dev State=DOWN
    job=$(submit alice -p dev)
}
facts='.root_cause.summary | test("dev") and test("DOWN")'
