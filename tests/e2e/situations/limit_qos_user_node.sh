# SPDX-License-Identifier: Apache-2.0
# Its owner has all the nodes that a user of the QOS may have.
reason='QOSMaxNodePerUserLimit'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerUser=node=1
    wait_until_state "$(submit alice -N1 --exclusive)" RUNNING
    job=$(submit alice -N1)
}
facts='.blocking.limits | any(.name == "MaxTRESPU" and .resource == "node" and .limit == 1 and .used == 1 and .requested == 1)'
