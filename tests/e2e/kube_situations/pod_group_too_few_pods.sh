# SPDX-License-Identifier: Apache-2.0
# A gang of Kubernetes itself needs four pods, and two exist. The scheduler says nothing.
needs=gangs
says=''
class=gang
counted=no
make() {
    pod_group ring 4
    group_pod one ring 1
    group_pod p ring 1
}
facts='(.root_cause.summary | contains("Only 2 pods of its group ring exist, and the group needs 4")) and (.owners | map(.kind + " " + .name) == ["PodGroup ring"])'
remedy() {
    group_pod three ring 1
    group_pod four ring 1
}
