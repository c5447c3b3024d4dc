# SPDX-License-Identifier: Apache-2.0
# The devices are reached from one rack only, whose nodes are full.
since=34
says='*56 cannot allocate all claims, 8 Insufficient nvidia.com/gpu.*'
class=capacity
make() {
    device_class gpu
    kubectl create -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: fabric}
spec:
  driver: gpu.test
  pool: {name: fabric, generation: 1, resourceSliceCount: 1}
  nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [rack-002]}]}]}
  devices: [{name: a}, {name: b}]
YAML
    hold 9 16 "$(gpus 8)"
    resource_claim mine "$(exactly gpu 1)"
    shaped p "$(gpus 1)" "$(uses_devices mine)" | apply
}
facts='(.devices[0].nodes | length) == 8'
remedy() { kubectl delete pod held-gpu-009 --wait=false; }
