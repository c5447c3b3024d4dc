# SPDX-License-Identifier: Apache-2.0
# A quota admits one of the Job's three pods, so two of them do not exist.
says='*exceeded quota: team, requested: requests.nvidia.com/gpu=4*limited: requests.nvidia.com/gpu=6'
class=limit
owner='Job train'
make() {
    quota team 'requests.nvidia.com/gpu: 6'
    job train 3 "$(gpus 4)" | apply
}
facts='.missing == 2 and (.limits | any(.limit == 6 and .used == 4 and .requested == 4)) and (.room_now | not)'
