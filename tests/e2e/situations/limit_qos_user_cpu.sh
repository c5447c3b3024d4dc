# SPDX-License-Identifier: Apache-2.0
# Its owner has all the CPUs that a user of the QOS may have.
reason='QOSMaxCpuPerUserLimit'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerUser=cpu=8
    wait_until_state "$(submit alice -n8)" RUNNING
    job=$(submit alice -n2)
}
facts='.blocking.limits | any(.name == "MaxTRESPU" and .resource == "cpu" and .limit == 8 and .used == 8 and .requested == 2)'
