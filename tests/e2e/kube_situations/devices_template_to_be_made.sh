# SPDX-License-Identifier: Apache-2.0
# The template of its claim does not exist, and devices are free.
since=34
says=''
class=dependency
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    shaped p "" "$(uses_template own-gpu)" | apply
}
facts='.remedies[0] | .kind == "release" and (.command | contains("ResourceClaimTemplate"))'
