# SPDX-License-Identifier: Apache-2.0
# Its account has all the CPUs that an account of the QOS may have.
reason='MaxCpuPerAccount'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerAccount=cpu=8
    wait_until_state "$(submit bob -n8)" RUNNING
    job=$(submit alice -n2)
}
facts='.blocking.limits | any(.name == "MaxTRESPA" and .resource == "cpu" and .limit == 8 and .used == 8 and .requested == 2)'
