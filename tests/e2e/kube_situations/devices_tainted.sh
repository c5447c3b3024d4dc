# SPDX-License-Identifier: Apache-2.0
# The devices that would do have a taint that the claim does not tolerate.
since=34
says='*64 cannot allocate all claims.*'
class=unhealthy_nodes
make() {
    device_class gpu
    devices 1 1 "$(device a 'taints: [{key: fault, value: "true", effect: NoSchedule}]')" "$(device b)"
    takes_devices one first 1
    resource_claim mine "$(exactly gpu 1)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='(.root_cause.summary | contains("fault=true:NoSchedule")) and .devices[0].nodes == [{"name": "gpu-001", "matching": 2, "free": 0, "tainted": 1}]'
remedy() {
    kubectl delete resourceslice gpu.test-gpu-001
    devices 1 1 "$(device a)" "$(device b)"
}
