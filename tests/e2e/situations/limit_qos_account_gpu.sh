# SPDX-License-Identifier: Apache-2.0
# Its account has all the GPUs that an account of the QOS may have.
reason='MaxGRESPerAccount'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerAccount=gres/gpu=8
    wait_until_state "$(submit bob --gres=gpu:8)" RUNNING
    job=$(submit alice --gres=gpu:1)
}
facts='.blocking.limits | any(.name == "MaxTRESPA" and .resource == "gres/gpu" and .limit == 8 and .used == 8 and .requested == 1)'
