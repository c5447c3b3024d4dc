# SPDX-License-Identifier: Apache-2.0
# The only volume has been left by another claim, and still belongs to it.
says='0/64 nodes are available: pod has unbound immediate PersistentVolumeClaims.*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow "persistentVolumeReclaimPolicy: Retain"
    bound_claim former slow
    kubectl delete pvc former >/dev/null
    until_like 10 Released volume_phase one
    claim data slow
    shaped p "" "$(uses_claim data)" | apply
}
volume_phase() { kubectl get pv "$1" -o jsonpath='{.status.phase}'; }
facts='.remedies[0] | .who == "operator" and (.command | contains("claimRef"))'
