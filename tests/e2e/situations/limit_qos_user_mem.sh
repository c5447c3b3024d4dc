# SPDX-License-Identifier: Apache-2.0
# Its owner has all the memory that a user of the QOS may have.
reason='QOSMaxMemoryPerUser'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerUser=mem=50G
    wait_until_state "$(submit alice --mem=40G)" RUNNING
    job=$(submit alice --mem=20G)
}
facts='.blocking.limits | any(.name == "MaxTRESPU" and .resource == "mem" and .limit == 53687091200 and .used == 42949672960 and .requested == 21474836480)'
