# SPDX-License-Identifier: Apache-2.0
# A container of this namespace may have four GPUs at most.
says='*maximum nvidia.com/gpu usage per Container is 4, but limit is 8*'
class=limit
owner='Job train'
make() {
    apply <<YAML
apiVersion: v1
kind: LimitRange
metadata: {name: sizes}
spec: {limits: [{type: Container, max: {nvidia.com/gpu: 4}}]}
YAML
    job train 1 "$(gpus 8)" | apply
}
facts='(.summary | contains("maximum nvidia.com/gpu usage per Container is 4")) and (.remedies | length) == 2'
