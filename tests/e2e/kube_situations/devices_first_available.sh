# SPDX-License-Identifier: Apache-2.0
# One large device or two small ones; of the small ones one is left.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    device_class small 'device.attributes["gpu.test"].model == "small"'
    device_class large 'device.attributes["gpu.test"].model == "large"'
    devices 1 1 "$(device a)" "$(device b 'attributes: {model: {string: small}}')" "$(device c 'attributes: {model: {string: small}}')"
    resource_claim first "$(exactly big 1 "" large), $(exactly little 1 "" small)"
    shaped one "" "$(uses_devices first)" | apply
    wait_scheduled one >/dev/null
    resource_claim mine "{name: any, firstAvailable: [{name: large, deviceClassName: large}, {name: small, deviceClassName: small, count: 2}]}"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='[.devices[] | [.request, .count, .nodes[0].free]] == [["any/large", 1, 0], ["any/small", 2, 1]]'
remedy() { kubectl delete pod one --wait=false; }
