# SPDX-License-Identifier: Apache-2.0
# Its volume is in a zone without nodes.
says='*64 node(s) had no available volume zone.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow "" "labels: {topology.kubernetes.io/zone: zone-9}"
    bound_claim data slow
    shaped p "" "$(uses_claim data)" | apply
}
