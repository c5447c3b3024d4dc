# SPDX-License-Identifier: Apache-2.0
# Racks that it may not use count, because the constraint says so.
says='*56 node(s) didn*t match Pod*s node affinity/selector, 8 node(s) didn*t match pod topology spread constraints.*'
class=constraint
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}"
    shaped p "$(gpus 1)" "$(on_rack 1), $(spread s rack "nodeAffinityPolicy: Ignore")" "labels: {app: s}" | apply
}
