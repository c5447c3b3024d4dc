# SPDX-License-Identifier: Apache-2.0
# The selector of the class and that of the claim leave one device, which is taken.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    device_class large 'device.driver == "gpu.test" && device.attributes["gpu.test"].model == "large"'
    devices 1 1 "$(device a)" "$(device b 'attributes: {model: {string: small}, memory: {int: 20}}, capacity: {memory: {value: 20Gi}}')"
    resource_claim first "$(exactly gpu 1 "" large)"
    shaped one "" "$(uses_devices first)" | apply
    wait_scheduled one >/dev/null
    resource_claim mine "$(exactly gpu 1 "$(where 'device.capacity["gpu.test"].memory.compareTo(quantity("40Gi")) >= 0')")"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.devices[0].nodes == [{"name": "gpu-001", "matching": 1, "free": 0, "tainted": 0}] and .devices[0].held_by == ["default/first"]'
remedy() { kubectl delete pod one --wait=false; }
