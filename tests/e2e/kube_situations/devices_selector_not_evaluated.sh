# SPDX-License-Identifier: Apache-2.0
# A selector of a kind that is not evaluated: the scheduler is believed, and that is said.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
counted=no
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    resource_claim mine "$(exactly gpu 1 "$(where 'cel.bind(d, device.attributes["gpu.test"], d.model == "other")')")"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='[.unsure[] | select(contains("is not evaluated"))] | length > 0'
