# SPDX-License-Identifier: Apache-2.0
# It wants all devices of a node, and one of each is taken.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    devices 1 2 "$(device a)" "$(device b)"
    takes_devices one first 1 "$(on_node 1)"
    takes_devices two second 1 "$(on_node 2)"
    resource_claim mine "{name: gpu, exactly: {deviceClassName: gpu, allocationMode: All}}"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.devices[0].all and .devices[0].held_by == ["default/first", "default/second"]'
remedy() { kubectl delete pod two --wait=false; }
