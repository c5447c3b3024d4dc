# SPDX-License-Identifier: Apache-2.0
# Two free devices, on two nodes, and the claim wants both on one.
since=34
says='*64 cannot allocate all claims.*'
class=fragmentation
make() {
    device_class gpu
    devices 1 2 "$(device a)" "$(device b)"
    takes_devices one first 1 "$(on_node 1)"
    takes_devices two second 1 "$(on_node 2)"
    resource_claim mine "$(exactly gpu 2)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='(.root_cause.summary | contains("2 of 4 devices for request gpu free on 2 nodes, at most 1 on one"))'
remedy() { kubectl delete pod two --wait=false; }
