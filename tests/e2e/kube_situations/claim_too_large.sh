# SPDX-License-Identifier: Apache-2.0
# The claim waits for its pod, and the only volumes have 10Gi each.
says='*64 node(s) didn*t find available persistent volumes to bind.*'
class=volume
make() {
    storage_class late WaitForFirstConsumer
    volume one late
    claim data late
    kubectl get pvc data -o json |
        jq '.spec.resources.requests.storage = "20Gi" | del(.metadata.uid, .metadata.resourceVersion, .status)' |
        kubectl replace --force -f - >/dev/null
    shaped p "" "$(uses_claim data)" | apply
}
facts='.remedies[0] | .kind == "smaller_request" and (.effect | contains("10Gi instead of 20Gi"))'
