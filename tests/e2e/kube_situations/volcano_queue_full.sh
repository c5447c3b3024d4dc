# SPDX-License-Identifier: Apache-2.0
# A group of Volcano waits to be let into its queue, which has two GPUs left of eight.
needs=volcano
says=''
class=limit
make() {
    apply <<YAML
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: research}
spec: {weight: 1, capability: {nvidia.com/gpu: 8}}
status: {state: Open, allocated: {nvidia.com/gpu: 6}}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: ring}
spec: {minMember: 2, queue: research, minResources: {nvidia.com/gpu: 4}}
status: {phase: Pending}
YAML
    gang_pod one volcano 'annotations: {scheduling.k8s.io/group-name: ring}'
    gang_pod p volcano 'annotations: {scheduling.k8s.io/group-name: ring}'
    sleep 9 # before, its scheduler may just not have come to it
}
facts='(.root_cause.summary | contains("6 of 8 nvidia.com/gpu used and 4 asked")) and .blocking.limits[0].holder == "queue research" and (.owners | map(.kind + " " + .name) == ["PodGroup ring", "Queue research"])'
