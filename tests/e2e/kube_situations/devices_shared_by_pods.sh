# SPDX-License-Identifier: Apache-2.0
# Three pods share one claim of two devices, which count once: two are left, and three are asked.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    local name
    device_class gpu
    devices 1 1 "$(device a)" "$(device b)" "$(device c)" "$(device d)"
    resource_claim shared "$(exactly gpu 2)"
    for name in one two three; do
        shaped $name "" "$(uses_devices shared)" | apply
        wait_scheduled $name >/dev/null
    done
    resource_claim mine "$(exactly gpu 3)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.devices[0].nodes == [{"name": "gpu-001", "matching": 4, "free": 2, "tainted": 0}]'
remedy() { kubectl delete pod one two three --wait=false; }
