# SPDX-License-Identifier: Apache-2.0
# The node of the pod that it wants to be near is full.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t match pod affinity rules.*'
class=constraint
make() {
    hold 1 1 "$(gpus 8)" "" "labels: {app: db}"
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname)")}" | apply
}
