# SPDX-License-Identifier: Apache-2.0
# The pod of a DaemonSet for a full node.
says='*1 Insufficient nvidia.com/gpu, 63 node(s) didn*t satisfy plugin(s) ?NodeAffinity?.*'
class=constraint
make() {
    hold 1 1 "$(gpus 8)"
    apply <<YAML
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {$(on_node 1), containers: [{name: main, image: none, resources: {limits: {$(gpus 1)}}}]}
YAML
    agent() { kubectl get pods -l app=agent -o name; }
    until_like 10 "pod/agent-*" agent
    pod=default/$(basename "$(agent)")
}
