# SPDX-License-Identifier: Apache-2.0
# A group of the coscheduling plugin needs four pods, and two exist.
needs=coscheduling
says='*cannot find enough sibling pods*'
class=gang
counted=no
make() {
    apply <<YAML
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {name: ring}
spec: {minMember: 4, scheduleTimeoutSeconds: 10}
YAML
    has_status podgroup ring 'phase: Pending'
    gang_pod one gangs 'labels: {scheduling.x-k8s.io/pod-group: ring}'
    gang_pod p gangs 'labels: {scheduling.x-k8s.io/pod-group: ring}'
    says_of p 'pre-filter pod p cannot find enough sibling pods, current pods number: 2, minMember of group: 4'
}
facts='(.root_cause.summary | contains("Only 2 pods of its group ring exist, and the group needs 4")) and (.owners | map(.kind + " " + .name) == ["PodGroup ring"])'
