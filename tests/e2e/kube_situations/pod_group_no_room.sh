# SPDX-License-Identifier: Apache-2.0
# A gang of Kubernetes itself needs two pods; for one of them no node is large enough, and the other,
# which would fit, is asked about.
needs=gangs
says='*pod group is unschedulable*'
class=gang
counted=no
make() {
    pod_group ring 2
    group_pod large ring 9
    group_pod p ring 1
}
facts='(.root_cause.summary | contains("Its group ring starts with at least 2 pods or not at all")) and (.details | any(contains("large")))'
