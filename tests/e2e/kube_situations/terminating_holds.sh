# SPDX-License-Identifier: Apache-2.0
# A pod that is being deleted keeps its room until it is gone.
says='*1 Insufficient nvidia.com/gpu, 63*'
class=constraint
make() {
    hold 1 1 "$(gpus 8)" "" "annotations: {schedlens.test/hang: \"true\"}"
    kubectl delete pod held-gpu-001 --wait=false
    shaped p "$(gpus 1)" "$(on_node 1)" | apply
}
