# SPDX-License-Identifier: Apache-2.0
# The claim's class does not exist; another one has a volume.
says='0/64 nodes are available: pod has unbound immediate PersistentVolumeClaims.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow
    claim data sluggish
    shaped p "" "$(uses_claim data)" | apply
}
facts='.remedies[0].effect | contains("slow instead of sluggish, which does not exist")'
