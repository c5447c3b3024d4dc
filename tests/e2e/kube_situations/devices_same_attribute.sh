# SPDX-License-Identifier: Apache-2.0
# Two devices of one link group are wanted; the two that are free are of different groups.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    devices 1 1 "$(device a 'attributes: {group: {int: 1}}')" "$(device b 'attributes: {group: {int: 1}}')" \
        "$(device c 'attributes: {group: {int: 2}}')" "$(device d 'attributes: {group: {int: 2}}')"
    resource_claim first "$(exactly one 1 "$(where 'device.attributes["gpu.test"].group == 1')"), $(exactly two 1 "$(where 'device.attributes["gpu.test"].group == 2')")"
    shaped one "" "$(uses_devices first)" | apply
    wait_scheduled one >/dev/null
    resource_claim mine "$(exactly gpu 2)" "constraints: [{matchAttribute: gpu.test/group}]"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.devices[0].nodes[0].free == 2'
remedy() { kubectl delete pod one --wait=false; }
