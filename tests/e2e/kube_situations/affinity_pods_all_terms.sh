# SPDX-License-Identifier: Apache-2.0
# No single pod is of both kinds that it wants to be near.
says='*64 node(s) didn*t match pod affinity rules.*'
class=constraint
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: db}"
    hold 2 2 "$(gpus 1)" "" "labels: {app: web}"
    shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db rack), $(term web rack)")}" | apply
}
