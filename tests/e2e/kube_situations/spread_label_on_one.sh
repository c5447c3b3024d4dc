# SPDX-License-Identifier: Apache-2.0
# Only a full node has the label to spread over.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t match pod topology spread constraints (missing required label).*'
class=constraint
make() {
    kubectl label node gpu-001 slot=one
    hold 1 1 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(spread s slot)" "labels: {app: s}" | apply
}
