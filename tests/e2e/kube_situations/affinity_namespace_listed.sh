# SPDX-License-Identifier: Apache-2.0
# Only the namespaces that are named count, and its own is not one of them.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t match pod affinity rules.*'
class=constraint
make() {
    namespace team
    shaped team/db "$(gpus 8)" "nodeName: gpu-001" "labels: {app: db}" | apply
    hold 2 2 "$(gpus 1)" "" "labels: {app: db}"
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname "namespaces: [team]")")}" | apply
}
