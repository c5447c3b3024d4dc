# SPDX-License-Identifier: Apache-2.0
# No node has as many devices as one claim asks for.
since=34
says='*64 cannot allocate all claims.*'
class=impossible
make() {
    device_class gpu
    devices 1 8 "$(device a)" "$(device b)"
    resource_claim mine "$(exactly gpu 3)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='(.root_cause.summary | contains("even when all its devices are free")) and (.devices[0].count == 3)'
