# SPDX-License-Identifier: Apache-2.0
# The selector asks for an attribute that a device lacks, for which the scheduler gives up.
since=34
says='*CEL runtime error: no such key: speed*'
class=impossible
counted=no
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    resource_claim mine "$(exactly gpu 1 "$(where 'device.attributes["gpu.test"].speed > 3')")"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.root_cause.summary | contains("no such key: speed")'
