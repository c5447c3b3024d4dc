# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Manifests that situations are built of. Amounts and the like are YAML in flow style, without the
# outer braces.

# shaped POD LIMITS [SPEC [METADATA]]: a pod of one container.
shaped() {
    local name=${1##*/} namespace=default
    [[ $1 != */* ]] || namespace=${1%%/*}
    cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: "$name", namespace: "$namespace"${4:+, $4}}
spec: {containers: [{name: main, image: none, resources: {limits: {$2}}}]${3:+, $3}}
YAML
}

node_names() { printf 'gpu-%03d\n' $(seq "$1" "${2:-$1}"); } # FIRST [LAST]

# hold FIRST LAST LIMITS [SPEC [METADATA]]: a pod on each of these nodes, put there without asking
# the scheduler. They are called held-NODE.
hold() {
    local node
    for node in $(node_names "$1" "$2"); do
        shaped "held-$node" "$3" "nodeName: $node${4:+, $4}" "${5:-}"
    done | kubectl create --validate=false -f - >/dev/null
}

gpus() { echo "nvidia.com/gpu: $1"; }
on_rack() { echo "nodeSelector: {rack: rack-00$1}"; }                           # NUMBER: eight nodes
on_node() { printf 'nodeSelector: {kubernetes.io/hostname: gpu-%03d}' "$1"; }   # NUMBER
# node_affinity TERM...: each of them a list of expressions
node_affinity() {
    local terms
    terms=$(printf ', {matchExpressions: [%s]}' "$@")
    echo "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${terms#, }]}}}"
}
node_fields() { # the same of fields
    echo "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [$1]}]}}}"
}
# term APP KEY [MORE]: pods of the app, by the node label
term() { echo "{labelSelector: {matchLabels: {app: $1}}, topologyKey: $2${3:+, $3}}"; }
with_pods() { echo "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [$1]}"; }        # TERMS
without_pods() { echo "podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [$1]}"; } # TERMS
# spread APP KEY [MORE]: at most one apart
spread() {
    echo "topologySpreadConstraints: [{maxSkew: 1, topologyKey: $2, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: $1}}${3:+, $3}}]"
}

# priority NAME VALUE [MORE]
priority() {
    apply <<YAML
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: $1}
value: $2
${3:-}
YAML
}

# namespace NAME [LABELS]
namespace() {
    apply <<YAML
apiVersion: v1
kind: Namespace
metadata: {name: $1, labels: {${2:-}}}
YAML
}

# storage_class NAME BINDINGMODE: nobody makes volumes for it
storage_class() {
    apply <<YAML
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: $1}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: $2
YAML
}
# volume NAME CLASS [SPEC [METADATA [MODE]]]
volume() {
    apply <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1${4:+, $4}}
spec: {storageClassName: "$2", capacity: {storage: 10Gi}, accessModes: [${5:-ReadWriteOnce}], csi: {driver: none.test, volumeHandle: $1}${3:+, $3}}
YAML
}
# claim NAME CLASS [MODE [METADATA]]
claim() {
    apply <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1${4:+, $4}}
spec: {storageClassName: "$2", accessModes: [${3:-ReadWriteOnce}], resources: {requests: {storage: 10Gi}}}
YAML
}
claim_phase() {
    local T=$TESTBED_DIR
    kube_get "/api/v1/namespaces/default/persistentvolumeclaims/$1" | jq -r .status.phase
}
bound_claim() { claim "$@" && until_like 10 Bound claim_phase "$1" >/dev/null; } # as claim
uses_claim() { echo "volumes: [{name: data, persistentVolumeClaim: {claimName: $1}}]"; }

# The scheduler looks at waiting pods again when a taint changes, whatever turned them down.
push() { taint gpu-064 schedlens.test/push=:PreferNoSchedule && taint gpu-064 schedlens.test/push-; }

# For longer than the scheduler's backoff nothing happens.
stays_asleep() { sleep 11; [[ -z $(pod_node "$pod") ]]; }

# job NAME PODS LIMITS [SPEC [JOBSPEC]]: SPEC is of its pods
job() {
    cat <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: $1}
spec:
  parallelism: $2
  completions: $2
  ${5:-}
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: none, resources: {limits: {$3}}}]${4:+, $4}}
YAML
}
# quota NAME HARD
quota() {
    local T=$TESTBED_DIR
    apply <<YAML
apiVersion: v1
kind: ResourceQuota
metadata: {name: $1}
spec: {hard: {$2}}
YAML
    quota_known() { kube_get "/api/v1/namespaces/default/resourcequotas/$1" | jq -c '.status.hard // empty'; }
    until_like 10 '?*' quota_known "$1" >/dev/null
}

# device_class NAME [CEL]: by default all devices of the driver gpu.test
device_class() {
    local all='device.driver == "gpu.test"'
    apply <<YAML
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: $1}
spec: {selectors: [{cel: {expression: '${2:-$all}'}}]}
YAML
}
# device NAME [MORE]: one of a slice; by default a large one
device() {
    local large='attributes: {model: {string: large}, memory: {int: 80}}, capacity: {memory: {value: 80Gi}}'
    echo "{name: $1, ${2:-$large}}"
}
# devices FIRST LAST DEVICE...: a pool of these on each of these nodes
devices() {
    local first=$1 last=$2 node list
    shift 2
    list=$(printf ', %s' "$@")
    for node in $(node_names "$first" "$last"); do
        cat <<YAML
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: gpu.test-$node}
spec: {driver: gpu.test, nodeName: $node, pool: {name: $node, generation: 1, resourceSliceCount: 1}, devices: [${list#, }]}
YAML
    done | kubectl create -f - >/dev/null
}
# resource_claim NAME REQUESTS [MORE]
resource_claim() {
    apply <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: $1}
spec: {devices: {requests: [$2]${3:+, $3}}}
YAML
}
# exactly NAME COUNT [MORE [CLASS]]: a request
exactly() { echo "{name: $1, exactly: {deviceClassName: ${4:-gpu}, count: $2${3:+, $3}}}"; }
where() { echo "selectors: [{cel: {expression: '$1'}}]"; } # CEL
uses_devices() { # CLAIM...
    local claim list=
    for claim; do list+=", {name: $claim, resourceClaimName: $claim}"; done
    echo "resourceClaims: [${list#, }]"
}
# uses_template TEMPLATE: a claim of the pod's own
uses_template() { echo "resourceClaims: [{name: own, resourceClaimTemplateName: $1}]"; }
claim_template() { # NAME REQUESTS
    apply <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: $1}
spec: {spec: {devices: {requests: [$2]}}}
YAML
}
# takes_devices POD CLAIM NUMBER [SPEC]: a pod that uses the claim and has been placed
takes_devices() {
    resource_claim "$2" "$(exactly gpu "$3")"
    shaped "$1" "" "$(uses_devices "$2")${4:+, $4}" | apply
    wait_scheduled "$1" >/dev/null
}
