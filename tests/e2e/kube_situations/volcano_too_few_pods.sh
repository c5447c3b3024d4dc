# SPDX-License-Identifier: Apache-2.0
# A group of Volcano needs three pods, and two exist.
needs=volcano
says=''
class=gang
make() {
    apply <<YAML
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: ring}
spec: {minMember: 3, queue: default}
status: {phase: Pending}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: default}
spec: {weight: 1}
status: {state: Open}
YAML
    gang_pod one volcano 'annotations: {scheduling.k8s.io/group-name: ring}'
    gang_pod p volcano 'annotations: {scheduling.k8s.io/group-name: ring}'
    sleep 9 # before, its scheduler may just not have come to it
}
facts='.root_cause.summary | contains("Only 2 pods of its group ring exist, and the group needs 3")'
