# SPDX-License-Identifier: Apache-2.0
# With fewer than three zones each may hold one.
since=27
says='*64 node(s) didn*t match pod topology spread constraints.*'
class=constraint
make() {
    hold 1 1 "$(gpus 1)" "" "labels: {app: s}"
    hold 64 64 "$(gpus 1)" "" "labels: {app: s}"
    shaped p "$(gpus 1)" "$(spread s topology.kubernetes.io/zone "minDomains: 3")" "labels: {app: s}" | apply
}
facts='.constraints | any(.name == "PodTopologySpread" and (.detail | contains("fewer than 3 domains")))'
