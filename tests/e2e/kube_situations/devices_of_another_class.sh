# SPDX-License-Identifier: Apache-2.0
# The device class that the claim names does not exist; another one has a free device.
since=34
says='*request gpu: device class none does not exist*'
class=impossible
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    resource_claim mine "$(exactly gpu 1 "" none)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.remedies[0].effect | contains("class gpu instead of none, which does not exist")'
