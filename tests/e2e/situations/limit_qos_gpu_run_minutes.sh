# SPDX-License-Identifier: Apache-2.0
# The GPU minutes that jobs of its QOS may still run are used up.
reason='QOSGrpGRESRunMinutes'
class=limit
make() {
    limits qos where name=normal set GrpTRESRunMins=gres/gpu=500
    wait_until_state "$(submit bob --gres=gpu:8 -t 60)" RUNNING
    job=$(submit alice --gres=gpu:1 -t 60)
}
facts='.blocking.limits | any(.name == "GrpTRESRunMins" and .resource == "gres/gpu" and .limit == 500 and .requested == 60)'
