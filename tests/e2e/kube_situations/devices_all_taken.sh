# SPDX-License-Identifier: Apache-2.0
# Each node with devices has two, and the other pods' claims have them all.
since=34
says='*0/64 nodes are available: 64 cannot allocate all claims. still not schedulable*'
class=capacity
make() {
    device_class gpu
    devices 1 2 "$(device a)" "$(device b)"
    takes_devices one first 2
    takes_devices two second 2
    resource_claim mine "$(exactly gpu 1)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.devices[0].nodes == [{"name": "gpu-001", "matching": 2, "free": 0, "tainted": 0}, {"name": "gpu-002", "matching": 2, "free": 0, "tainted": 0}] and .devices[0].held_by == ["default/first", "default/second"]'
remedy() { kubectl delete pod one --wait=false; }
