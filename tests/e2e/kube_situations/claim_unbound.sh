# SPDX-License-Identifier: Apache-2.0
# Nobody makes the volume that the claim waits for.
says='0/64 nodes are available: pod has unbound immediate PersistentVolumeClaims.*'
class=volume
make() {
    storage_class slow Immediate
    claim data slow
    shaped p "" "$(uses_claim data)" | apply
}
