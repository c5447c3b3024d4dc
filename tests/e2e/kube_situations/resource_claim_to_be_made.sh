# SPDX-License-Identifier: Apache-2.0
# Its ResourceClaim does not exist, and devices are free.
since=34
says=''
class=dependency
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    shaped p "" "$(uses_devices mine)" | apply
}
facts='.remedies[0] | .kind == "release" and (.command | contains("\"mine\""))'
