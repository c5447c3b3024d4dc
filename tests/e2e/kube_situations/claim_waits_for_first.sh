# SPDX-License-Identifier: Apache-2.0
# The claim waits for its pod, and there is no volume for it.
says='*64 node(s) didn*t find available persistent volumes to bind.*'
class=volume
make() {
    storage_class late WaitForFirstConsumer
    claim data late
    shaped p "" "$(uses_claim data)" | apply
}
