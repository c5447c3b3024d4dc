# SPDX-License-Identifier: Apache-2.0
# The device class that the claim names does not exist.
since=34
says='*request gpu: device class none does not exist*'
class=impossible
make() {
    resource_claim mine "$(exactly gpu 1 "" none)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.root_cause.summary | contains("device class none does not exist")'
remedy() {
    device_class none
    devices 1 1 "$(device a)"
}
