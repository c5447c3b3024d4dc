# SPDX-License-Identifier: Apache-2.0
# Unless the constraint says that taints are to be honoured.
since=26
says='*8 Insufficient nvidia.com/gpu, 8 node(s) had untolerated taint(s).*'
class=constraint
make() {
    hold 1 8 "$(gpus 8)" "" "labels: {app: s}"
    taint $(node_names 9 16) team=red:NoSchedule
    shaped p "$(gpus 1)" "$(node_affinity "{key: rack, operator: In, values: [rack-001, rack-002]}"), $(spread s rack "nodeTaintsPolicy: Honor")" "labels: {app: s}" | apply
}
facts='.constraints | all(.name != "PodTopologySpread" or .ruled_out == 0)'
