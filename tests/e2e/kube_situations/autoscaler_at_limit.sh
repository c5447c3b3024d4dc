# SPDX-License-Identifier: Apache-2.0
# No node is added for it: the autoscaler says why, and its status which groups are at their limit.
says='*64 Insufficient nvidia.com/gpu*'
class=impossible
make() {
    shaped p "$(gpus 9)" | apply
    apply <<END
apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-autoscaler-status, namespace: default}
data:
  status: |
    time: $(date -u '+%F %T') +0000 UTC
    autoscalerStatus: Running
    nodeGroups:
    - {name: big, health: {status: Healthy, cloudProviderTarget: 4, minSize: 0, maxSize: 4}, scaleUp: {status: NoActivity}}
---
apiVersion: v1
kind: Event
metadata: {name: p.scale, namespace: default}
involvedObject: {kind: Pod, name: p, namespace: default, uid: $(pod_field p .metadata.uid)}
reason: NotTriggerScaleUp
message: "pod didn't trigger scale-up: 1 max node group size reached"
source: {component: cluster-autoscaler}
lastTimestamp: $(date -u +%FT%TZ)
type: Normal
END
}
facts='.details | any(contains("adds no nodes for it: pod didn")) and any(contains("big has 4 nodes, as many as it may"))'
