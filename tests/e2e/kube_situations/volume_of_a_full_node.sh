# SPDX-License-Identifier: Apache-2.0
# Its volume is on a node that is full.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t match PersistentVolume*s node affinity.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [gpu-001]}]}]}}"
    bound_claim data slow
    hold 1 1 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(uses_claim data)" | apply
}
