# SPDX-License-Identifier: Apache-2.0
# Each pod has a claim of its own, from one template; the pods before it have all devices.
since=34
says='*64 cannot allocate all claims.*'
class=capacity
make() {
    device_class gpu
    devices 1 1 "$(device a)" "$(device b)"
    claim_template each "$(exactly gpu 2)"
    shaped one "" "$(uses_template each)" | apply
    wait_scheduled one >/dev/null
    shaped p "" "$(uses_template each)" | apply
}
facts='.devices[0].nodes == [{"name": "gpu-001", "matching": 2, "free": 0, "tainted": 0}]'
remedy() { kubectl delete pod one --wait=false; }
