# SPDX-License-Identifier: Apache-2.0
# The volume claim does not exist, and a free volume waits for one like it.
says='0/64 nodes are available: persistentvolumeclaim "data" not found.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow
    shaped p "" "$(uses_claim data)" | apply
}
facts='.remedies[0].kind == "release" and (.remedies[0].command | contains("\"slow\""))'
