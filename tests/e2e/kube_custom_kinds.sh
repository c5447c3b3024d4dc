# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Kinds of objects that Kubernetes itself does not have, and objects of them. Nobody serves them
# here: a situation writes what their controllers would have written.

# Where the module cache has a module's files, which are fetched if they are not there.
module_dir() { # MODULE@VERSION
    (cd / && go mod download -json "$1" 2>/dev/null) | jq -r '.Dir // empty'
}

# custom_kind GROUP VERSION KIND PLURAL SCOPE: whatever its fields are
custom_kind() {
    cat <<YAML
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $4.$1}
spec:
  group: $1
  scope: $5
  names: {kind: $3, plural: $4}
  versions:
  - {name: $2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
YAML
}

# Prints the definitions of those who are named; nothing where they cannot be had.
definitions_of() {
    local dir name
    case $1 in
    kueue)
        dir=$(module_dir sigs.k8s.io/kueue@v0.17.0) && [[ $dir ]] || return
        for name in workloads localqueues clusterqueues resourceflavors; do
            cat "$dir/config/components/crd/bases/kueue.x-k8s.io_$name.yaml"
        done
        ;;
    coscheduling)
        dir=$(module_dir sigs.k8s.io/scheduler-plugins@v0.33.5) && [[ $dir ]] || return
        cat "$dir/config/crd/bases/scheduling.x-k8s.io_podgroups.yaml"
        ;;
    volcano)
        custom_kind scheduling.volcano.sh v1beta1 PodGroup podgroups Namespaced
        custom_kind scheduling.volcano.sh v1beta1 Queue queues Cluster
        custom_kind batch.volcano.sh v1alpha1 Job jobs Namespaced
        ;;
    jobset) custom_kind jobset.x-k8s.io v1alpha2 JobSet jobsets Namespaced ;;
    esac
}

install_kinds() { # WHOSE; fails where they cannot be had
    local all
    if [[ $1 == gangs ]]; then
        kubectl get --raw /apis/scheduling.k8s.io/v1alpha2 >/dev/null 2>&1
        return
    fi
    all=$(definitions_of "$1") && [[ $all ]] || return
    kubectl create -f - <<<"$all" >/dev/null && until_like 60 all_served kinds_served >/dev/null
}
kinds_served() {
    kubectl get crd -o json | jq -r 'if all(.items[]; any(.status.conditions[]?; .type == "Established" and .status == "True")) then "all_served" else "" end'
}

# The objects of a kind go with it.
remove_kinds() { # WHOSE
    if [[ $1 == gangs ]]; then
        kubectl delete podgroups.scheduling.k8s.io --all --wait=false >/dev/null
    else
        kubectl delete crd --all --timeout=60s >/dev/null
    fi
}

# has_status KIND NAME STATUS: as its controller writes it
has_status() { kubectl patch "$1" "$2" --subresource=status --type=merge -p "status: {$3}" >/dev/null; }
condition() { # TYPE STATUS [REASON [MESSAGE]]
    echo "{type: $1, status: \"$2\", reason: ${3:-Testing}, message: \"${4:-}\", lastTransitionTime: \"$(date -u +%FT%TZ)\"}"
}

# kueue_queues GPUS RESERVED: ClusterQueue cq of so many GPUs, some in use, and LocalQueue team
kueue_queues() {
    apply <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: h100}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [nvidia.com/gpu], flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: $1}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team}
spec: {clusterQueue: cq}
YAML
    has_status clusterqueue cq "conditions: [$(condition Active True Ready)], flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: $2, borrowed: 0}]}]"
}
# kueue_workload NAME OWNER PODS GPUS [PRIORITY]: OWNER is APIVERSION/KIND/NAME; each of its pods wants GPUS
kueue_workload() {
    local kind=${2%/*} name=${2##*/} uid
    uid=$(kubectl get "${kind##*/}" "$name" -o 'jsonpath={.metadata.uid}')
    apply <<YAML
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: $1, ownerReferences: [{apiVersion: ${kind%/*}, kind: ${kind##*/}, name: $name, uid: $uid, controller: true}]}
spec:
  queueName: team
  priority: ${5:-0}
  podSets:
  - name: main
    count: $3
    template: {spec: {restartPolicy: Never, containers: [{name: main, image: none, resources: {requests: {nvidia.com/gpu: $4}}}]}}
YAML
}
suspended_job() { # NAME PODS GPUS
    job "$1" "$2" "$(gpus "$3")" | sed 's/^spec:/spec:\n  suspend: true/' | apply
}

# A pod of one GPU that another scheduler is to place with its group.
gang_pod() { # NAME SCHEDULER METADATA
    shaped "$1" "$(gpus 1)" "schedulerName: $2" "$3" | apply
}
# Gangs of Kubernetes itself.
pod_group() { # NAME MIN-COUNT
    apply <<YAML
apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: {name: $1}
spec: {schedulingPolicy: {gang: {minCount: $2}}}
YAML
}
group_pod() { shaped "$1" "$(gpus "$3")" "schedulingGroup: {podGroupName: $2}" | apply; } # NAME GROUP GPUS

# What its scheduler says of a pod.
says_of() { # POD MESSAGE
    kubectl patch pod "$1" --subresource=status --type=merge -p "status: {conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, message: \"$2\"}]}" >/dev/null
}
