# SPDX-License-Identifier: Apache-2.0
# Seven nodes are held by two pods each and one by a Job's, whose deadline says when it is over.
says='*8 Insufficient nvidia.com/gpu*'
class=constraint
make() {
    local node started
    job train 1 "$(gpus 8)" "$(on_node 3)" 'activeDeadlineSeconds: 3600' | apply
    until_like 10 '?*' train_pod >/dev/null
    wait_phase "$(train_pod)" Running
    for node in 1 2 4 5 6 7 8; do
        for half in a b; do shaped "h-$node-$half" "$(gpus 4)" "nodeName: gpu-00$node"; done
    done | kubectl create --validate=false -f - >/dev/null
    started=$(kubectl get job train -o json | jq '.status.startTime | fromdate')
    facts=".hole == {node: \"gpu-003\", ends: [\"default/$(train_pod)\"], expected: null,
        latest: $((started + 3600)), observed: 0} and .preemption == null"
    shaped p "$(gpus 8)" "$(on_rack 1)" | apply
}
train_pod() { kubectl get pods -l job-name=train -o json | jq -r '.items[0].metadata.name // empty'; }
