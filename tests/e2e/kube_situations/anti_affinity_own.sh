# SPDX-License-Identifier: Apache-2.0
# Each node it may use has a pod that it avoids.
says='*8 node(s) didn*t match pod anti-affinity rules.*'
class=constraint
make() {
    hold 1 8 "$(gpus 1)" "" "labels: {app: loud}"
    shaped p "$(gpus 1)" "$(on_rack 1), affinity: {$(without_pods "$(term loud kubernetes.io/hostname)")}" | apply
}
remedy() { kubectl delete pod held-gpu-004 >/dev/null; }
