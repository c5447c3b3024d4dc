# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Functions for tests that make situations in a cluster started by up. Source DIR/env, then this
# file. A pod is NAME or NAMESPACE/NAME. Waiting functions print what they saw and fail when time
# is over.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# apply [OPTION...]: makes what the manifest on standard input says.
apply() { kubectl apply -f - "$@" >/dev/null; }

# pod NAME GPUS [CPU [PRIORITYCLASS]]: the manifest of a pod that runs until it is deleted.
pod() {
    local name=${1##*/} namespace=default
    [[ $1 != */* ]] || namespace=${1%%/*}
    cat <<END
apiVersion: v1
kind: Pod
metadata: {name: $name, namespace: $namespace}
spec:
  priorityClassName: "${4:-}"
  containers: [{name: main, image: none, resources: {limits: {cpu: ${3:-1}, memory: 1Gi, nvidia.com/gpu: $2}}}]
END
}

# pod_field POD JQ-FILTER, of the pod as JSON; nothing if there is none.
pod_field() {
    local T=$TESTBED_DIR name=${1##*/} namespace=default
    [[ $1 != */* ]] || namespace=${1%%/*}
    kube_get "/api/v1/namespaces/$namespace/pods/$name" 2>/dev/null | jq -r "($2) // empty"
}

# fill_pods RUNNING [PENDING]: so many pods of one GPU each, in namespaces fill-1 to fill-8.
fill_pods() {
    "$TESTBED_DIR/sbin/fill" --kubeconfig "$KUBECONFIG" --etcd "$ETCD_URL" --count "$TESTBED_NODES" \
        --running "$1" --pending "${2:-0}"
}

pod_phase() { pod_field "$1" .status.phase; }
pod_node() { pod_field "$1" .spec.nodeName; }
# What the scheduler last said of the pod, and in one word.
scheduler_message() { pod_field "$1" '.status.conditions[]? | select(.type == "PodScheduled") | .message'; }
scheduler_reason() { pod_field "$1" '.status.conditions[]? | select(.type == "PodScheduled") | .reason'; }

# until_like SECONDS PATTERN COMMAND...: waits for output that the pattern fits.
until_like() {
    local seen end=$((SECONDS + $1)) pattern=$2; shift 2
    while
        seen=$("$@")
        # shellcheck disable=SC2053 # a pattern
        [[ $seen != $pattern ]]
    do
        ((SECONDS <= end)) || { echo "$*: '$seen', not '$pattern'" >&2; return 1; }
        sleep 0.1
    done
}

wait_scheduled() { until_like "${2:-20}" '?*' pod_node "$1"; }        # POD [SECONDS]
wait_phase() { until_like "${3:-20}" "$2" pod_phase "$1"; }           # POD PHASE [SECONDS]
wait_gone() { until_like "${2:-20}" '' pod_phase "$1"; }              # POD [SECONDS]
# wait_unschedulable POD [SECONDS]: prints why.
wait_unschedulable() { until_like "${2:-20}" Unschedulable scheduler_reason "$1" && scheduler_message "$1"; }

cordon() { kubectl cordon "$@" >/dev/null; }
uncordon() { kubectl uncordon "$@" >/dev/null; }
taint() { kubectl taint node "$@" --overwrite >/dev/null; } # NODE KEY=VALUE:EFFECT... (KEY- removes)

node_status() { # NODE: True, False or Unknown, as its condition Ready
    local T=$TESTBED_DIR
    kube_get "/api/v1/nodes/$1" | jq -r '.status.conditions[] | select(.type == "Ready") | .status'
}
wait_node() { until_like "${3:-60}" "$2" node_status "$1"; } # NODE STATUS [SECONDS]

# A kubelet that reports its node as not ready, one that falls silent (noticed after 25 seconds in a
# small fleet), and GPUs that leave the node's allocatable.
node_not_ready() { annotate_node "$1" not-ready="${2:-container runtime is down}" && wait_node "$1" False; }
node_silent() { annotate_node "$1" silent=true; }
unhealthy_gpus() { annotate_node "$1" unhealthy-gpus="$2"; } # NODE COUNT
node_ready() { annotate_node "$1" not-ready- silent- unhealthy-gpus- && wait_node "$1" True; }
annotate_node() {
    local node=$1; shift
    kubectl annotate node "$node" --overwrite "${@/#/schedlens.test/}" >/dev/null
}

# A daemon (etcd, kube-apiserver, kube-scheduler, kube-controller-manager, or nodes, which stands
# for all kubelets) that hangs and goes on, that ends, and that is started again.
freeze() { local T=$TESTBED_DIR; kill -STOP "$(pid_of "$1")"; }
thaw() { local T=$TESTBED_DIR; kill -CONT "$(pid_of "$1")"; }
stop_daemon() { local T=$TESTBED_DIR; stop_pids 10 "$(pid_of "$1")"; }
start_daemon() { local T=$TESTBED_DIR; launch_kube "$1"; }

api_ready() { local T=$TESTBED_DIR; kube_get /readyz; }
wait_api() { until_like "${1:-60}" ok api_ready 2>/dev/null; } # [SECONDS]

# Forgets all revisions but the last: lists that go on from an older one are answered with 410.
# Watches are served from the API server's own memory; restart it, too, for these to break.
compact_etcd() {
    local revision
    revision=$(curl -fsS "$ETCD_URL/v3/kv/range" -d '{"key":"AA=="}' | jq -r .header.revision)
    curl -fsS "$ETCD_URL/v3/kv/compaction" -d "{\"revision\":\"$revision\",\"physical\":true}" >/dev/null
}

repair_daemons() {
    local T=$TESTBED_DIR name
    # shellcheck disable=SC2046 # pids
    kill -CONT $(live_pids) 2>/dev/null || true
    while read -r name _; do
        pid_of "$name" >/dev/null || launch_kube "$name"
        [[ $name != kube-apiserver ]] || wait_api
    done <"$T/etc/daemons"
}

# reset_cluster [SECONDS]: all daemons run, all that tests made is gone, and the nodes are as new.
reset_cluster() {
    repair_daemons
    "$TESTBED_DIR/sbin/reset" --kubeconfig "$KUBECONFIG" --count "$TESTBED_NODES" --timeout "${1:-60}s"
}
