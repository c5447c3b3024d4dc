# SPDX-License-Identifier: Apache-2.0
# A sidecar adds to what its container asks for.
since=29
says='*64 Insufficient nvidia.com/gpu.*'
class=impossible
make() { shaped p "$(gpus 8)" "initContainers: [{name: beside, image: none, restartPolicy: Always, resources: {limits: {$(gpus 1)}}}]" | apply; }
facts='.root_cause.summary | contains("9 nvidia.com/gpu")'
