# SPDX-License-Identifier: Apache-2.0
# Its QOS has nearly all its memory in use.
reason='QOSGrpMemLimit'
class=limit
make() {
    limits qos where name=normal set GrpTRES=mem=100G
    wait_until_state "$(submit bob --mem=80G)" RUNNING
    job=$(submit alice --mem=40G)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "mem" and .limit == 107374182400 and .used == 85899345920 and .requested == 42949672960)'
