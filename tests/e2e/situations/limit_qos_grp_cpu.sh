# SPDX-License-Identifier: Apache-2.0
# Its QOS has nearly all its CPUs in use.
reason='QOSGrpCpuLimit'
class=limit
make() {
    limits qos where name=normal set GrpTRES=cpu=20
    wait_until_state "$(submit bob -n16)" RUNNING
    job=$(submit alice -n8)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "cpu" and .limit == 20 and .used == 16 and .requested == 8)'
