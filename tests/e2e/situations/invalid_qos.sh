# SPDX-License-Identifier: Apache-2.0
# Its owner may no longer use its QOS.
reason='InvalidQOS'
class=limit
remedies=none
make() {
    job=$(submit bob -q high --begin=now+4)
    limits user where name=bob account=llm set QOS=normal,scavenger,capped
}
facts='.root_cause.summary | test("high")'
