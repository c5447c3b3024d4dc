# SPDX-License-Identifier: Apache-2.0
# The free half of the node is promised to a pod of higher priority.
says='*1 Insufficient nvidia.com/gpu, 63*'
class=priority
make() {
    priority urgent 1000
    hold 1 1 "$(gpus 4)" "" "annotations: {schedlens.test/hang: \"true\"}"
    wait_phase held-gpu-001 Running
    shaped first "$(gpus 8)" "$(on_node 1), priorityClassName: urgent" | apply
    until_like 10 gpu-001 pod_field first .status.nominatedNodeName
    shaped p "$(gpus 4)" "$(on_node 1)" | apply
}
facts='(.root_cause.summary | contains("promised") and contains("gpu-001") and contains("first")) and (.blocking.ahead | length == 1)'
