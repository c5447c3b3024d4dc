# SPDX-License-Identifier: Apache-2.0
# It avoids them and they avoid it: its own wish is counted.
says='*8 node(s) didn*t match pod anti-affinity rules.*'
class=constraint
make() {
    hold 1 8 "$(gpus 1)" "affinity: {$(without_pods "$(term one kubernetes.io/hostname)")}" "labels: {app: one}"
    shaped p "$(gpus 1)" "$(on_rack 1), affinity: {$(without_pods "$(term one kubernetes.io/hostname)")}" "labels: {app: one}" | apply
}
