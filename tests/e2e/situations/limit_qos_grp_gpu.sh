# SPDX-License-Identifier: Apache-2.0
# Its QOS has all its GPUs in use.
reason='QOSGrpGRES'
class=limit
make() {
    limits qos where name=normal set GrpTRES=gres/gpu=8
    wait_until_state "$(submit bob --gres=gpu:6)" RUNNING
    job=$(submit alice --gres=gpu:4)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "gres/gpu" and .limit == 8 and .used == 6 and .requested == 4)'
