# SPDX-License-Identifier: Apache-2.0
# The pods there avoid it.
says='*8 node(s) didn*t satisfy existing pods anti-affinity rules.*'
class=constraint
make() {
    hold 1 8 "$(gpus 1)" "affinity: {$(without_pods "$(term loud kubernetes.io/hostname)")}"
    shaped p "$(gpus 1)" "$(on_rack 1)" "labels: {app: loud}" | apply
}
