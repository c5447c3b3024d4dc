# SPDX-License-Identifier: Apache-2.0
# The claim is being deleted.
says='0/64 nodes are available: persistentvolumeclaim "data" is being deleted.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow
    bound_claim data slow ReadWriteOnce "finalizers: [schedlens.test/keep]"
    kubectl delete pvc data --wait=false
    shaped p "" "$(uses_claim data)" | apply
}
