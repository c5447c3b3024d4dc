# SPDX-License-Identifier: Apache-2.0
# The claim that it shares has its devices on a node that is full; others have room and may not be used.
since=34
says='*1 Insufficient nvidia.com/gpu, 63 resourceclaim not available on the node.*'
class=constraint
make() {
    device_class gpu
    devices 1 1 "$(device a)"
    takes_devices one shared 1
    hold 1 1 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(uses_devices shared)" | apply
}
facts='[.constraints[] | select(.name == "DynamicResources") | .ruled_out] == [63] and (.root_cause.summary | contains("claim shared has its 1 device on gpu-001 (used by one)"))'
remedy() { kubectl delete pod held-gpu-001 --wait=false; }
