# SPDX-License-Identifier: Apache-2.0
# Two claims of one pod want three devices of the two that the node has free.
since=34
says='*64 cannot allocate all claims.*'
class=impossible
make() {
    device_class gpu
    devices 1 1 "$(device a)" "$(device b)"
    resource_claim one "$(exactly gpu 1)"
    resource_claim two "$(exactly gpu 2)"
    shaped p "" "$(uses_devices one two)" | apply
}
facts='[.devices[] | [.claim, .count]] == [["one", 1], ["two", 2]]'
