# SPDX-License-Identifier: Apache-2.0
# Whom the scheduler would preempt for a pod that does not preempt is what it does in an equal rack for
# an equal pod that does: fewest broken budgets, lowest priorities, fewest pods, those that began last.
says='*8 Insufficient nvidia.com/gpu*not eligible due to preemptionPolicy=Never*'
class=constraint
# held RACK NODE NUMBER GPUS PRIORITYCLASS [LABELS]: a pod that hangs when it is to end, on the
# rack's node of that number
held() {
    local node
    node=$(node_names $((($1 - 1) * 8 + $2)))
    shaped "h-$1-$2-$3" "$(gpus "$4")" "nodeName: $node, priorityClassName: $5" \
        "labels: {${6:-app: plain}}, annotations: {schedlens.test/hang: \"true\"}"
}
make() {
    local rack node victims
    priority urgent 1000
    priority urgent-but-patient 1000 'preemptionPolicy: Never'
    priority above 2000
    priority high 50
    priority mid 20
    priority low 10
    for rack in 1 2; do
        held $rack 1 1 8 high
        held $rack 2 1 4 mid && held $rack 2 2 4 low
        for node in 1 2 3 4 5 6 7; do held $rack 3 $node 1 low; done
        held $rack 4 1 4 low 'app: kept' && held $rack 4 2 4 mid
        held $rack 5 1 7 above
        held $rack 7 1 8 low 'app: kept'
        held $rack 8 1 6 low && held $rack 8 2 2 above
    done | kubectl create --validate=false -f - >/dev/null
    apply <<YAML
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: kept}
spec: {minAvailable: 4, selector: {matchLabels: {app: kept}}}
YAML
    wait_phase h-2-8-2 Running && sleep 2
    for rack in 1 2; do held $rack 6 1 4 low && held $rack 6 2 4 low; done |
        kubectl create --validate=false -f - >/dev/null
    wait_phase h-2-6-2 Running
    shaped q "$(gpus 4)" "$(on_rack 2), priorityClassName: urgent" | apply
    until_like 10 '?*' pod_field q .status.nominatedNodeName
    node=$(pod_field q .status.nominatedNodeName)
    victims=$(kubectl get pods -o json | jq -c '[.items[] | select(.metadata.deletionTimestamp)
        | "default/h-1-" + .metadata.name[4:]]')
    facts=".preemption.node == \"$(node_names $((10#${node#gpu-} - 8)))\" and .preemption.may == false
        and (.preemption.victims | sort) == $victims and .preemption.budgets_broken == 0"
    shaped p "$(gpus 4)" "$(on_rack 1), priorityClassName: urgent-but-patient" | apply
}
