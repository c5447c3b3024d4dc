# SPDX-License-Identifier: Apache-2.0
# One GPU of the only node it may use is unhealthy.
says='*1 Insufficient nvidia.com/gpu, 63*'
class=unhealthy_nodes
make() {
    unhealthy_gpus gpu-001 1
    healthy() { kubectl get node gpu-001 -o jsonpath="{.status.allocatable.nvidia\.com/gpu}"; }
    until_like 10 7 healthy
    shaped p "$(gpus 8)" "$(on_node 1)" | apply
}
facts='(.root_cause.summary | contains("1 of 8 nvidia.com/gpu unhealthy")) and .gpus.out_of_service == 1'
