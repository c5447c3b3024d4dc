# SPDX-License-Identifier: Apache-2.0
# One more in this zone would be too many, and the other zone is cordoned.
says='*32 node(s) didn*t match pod topology spread constraints, 32 node(s) were unschedulable.*'
class=unhealthy_nodes
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}"
    cordon $(node_names 33 64)
    shaped p "$(gpus 1)" "$(spread s topology.kubernetes.io/zone)" "labels: {app: s}" | apply
}
