# SPDX-License-Identifier: Apache-2.0
# One pod that it avoids closes the whole rack.
says='*8 node(s) didn*t match pod anti-affinity rules.*'
class=constraint
make() {
    hold 3 3 "$(gpus 1)" "" "labels: {app: loud}"
    shaped p "$(gpus 1)" "$(on_rack 1), affinity: {$(without_pods "$(term loud rack)")}" | apply
}
