# SPDX-License-Identifier: Apache-2.0
# Room has been made for it, and who held it is still ending.
says='*1 Insufficient nvidia.com/gpu, 63 node(s)*selector.'
class=priority
make() {
    priority urgent 1000
    hold 1 1 "$(gpus 8)" "" "annotations: {schedlens.test/hang: \"true\"}"
    wait_phase held-gpu-001 Running
    shaped p "$(gpus 1)" "$(on_node 1), priorityClassName: urgent" | apply
    until_like 10 gpu-001 pod_field p .status.nominatedNodeName
}
facts='(.root_cause.summary | contains("room for it on gpu-001") and contains("1 pod")) and any(.details[];
    contains("default/held-gpu-001 has until"))'
