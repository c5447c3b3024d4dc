# SPDX-License-Identifier: Apache-2.0
# Parts of a device that share its memory: what is left does not hold another large part.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    kubectl create -f - <<YAML
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec: {driver: gpu.test, nodeName: gpu-001, pool: {name: gpu-001, generation: 1, resourceSliceCount: 2}, sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: parts}
spec:
  driver: gpu.test
  nodeName: gpu-001
  pool: {name: gpu-001, generation: 1, resourceSliceCount: 2}
  devices:
  - {name: whole, attributes: {size: {int: 8}}, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 80Gi}}}]}
  - {name: half-0, attributes: {size: {int: 4}}, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]}
  - {name: half-1, attributes: {size: {int: 4}}, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]}
  - {name: quarter-0, attributes: {size: {int: 2}}, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 20Gi}}}]}
YAML
    resource_claim first "$(exactly one 1 "$(where 'device.attributes["gpu.test"].size == 4')"), $(exactly two 1 "$(where 'device.attributes["gpu.test"].size == 2')")"
    shaped one "" "$(uses_devices first)" | apply
    wait_scheduled one >/dev/null
    resource_claim mine "$(exactly gpu 1 "$(where 'device.attributes["gpu.test"].size == 4')")"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='(.unsure | length) == 0'
remedy() { kubectl delete pod one --wait=false; }
