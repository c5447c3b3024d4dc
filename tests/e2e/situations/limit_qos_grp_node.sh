# SPDX-License-Identifier: Apache-2.0
# Its QOS may use two nodes, and does.
reason='QOSGrpNodeLimit'
class=limit
make() {
    limits qos where name=normal set GrpTRES=node=2
    wait_until_state "$(submit bob -N2 --exclusive)" RUNNING
    job=$(submit alice -N1 -n1)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "node" and .limit == 2 and .used == 2 and .requested == 1)'
