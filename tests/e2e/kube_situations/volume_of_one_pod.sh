# SPDX-License-Identifier: Apache-2.0
# Another pod uses the claim that is for one pod only.
says='*64 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode*'
class=volume
make() {
    storage_class slow Immediate
    volume one slow "" "" ReadWriteOncePod
    bound_claim data slow ReadWriteOncePod
    shaped q "" "nodeName: gpu-001, $(uses_claim data)" | apply
    shaped p "" "$(uses_claim data)" | apply
}
facts='.root_cause.summary | contains("q")'
remedy() { kubectl delete pod q >/dev/null; }
