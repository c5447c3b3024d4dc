# SPDX-License-Identifier: Apache-2.0
# A disruption budget does not keep the scheduler from making room.
says='*1 Insufficient nvidia.com/gpu, 63 node(s)*selector.'
class=priority
make() {
    priority urgent 1000
    hold 1 1 "$(gpus 8)" "" "labels: {app: kept}, annotations: {schedlens.test/hang: \"true\"}"
    apply <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: kept}
spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}
YAML
    wait_phase held-gpu-001 Running
    shaped p "$(gpus 1)" "$(on_node 1), priorityClassName: urgent" | apply
    until_like 10 gpu-001 pod_field p .status.nominatedNodeName
}
