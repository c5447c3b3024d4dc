# SPDX-License-Identifier: Apache-2.0
# It is deleted while it waits, and something keeps it.
says='*64 Insufficient nvidia.com/gpu.*'
class=not_considered
make() {
    shaped p "$(gpus 9)" "" "finalizers: [schedlens.test/keep]" | apply
    wait_unschedulable p
    kubectl delete pod p --wait=false
}
facts='.root_cause.summary | contains("being deleted")'
counted=no
