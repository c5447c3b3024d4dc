# SPDX-License-Identifier: Apache-2.0
# Its owner has all the GPUs that a user of the QOS may have.
reason='QOSMaxGRESPerUser'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerUser=gres/gpu=8
    wait_until_state "$(submit alice --gres=gpu:8)" RUNNING
    job=$(submit alice --gres=gpu:1)
}
facts='.blocking.limits | any(.name == "MaxTRESPU" and .resource == "gres/gpu" and .limit == 8 and .used == 8 and .requested == 1)'
