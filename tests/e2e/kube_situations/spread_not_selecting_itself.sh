# SPDX-License-Identifier: Apache-2.0
# Its own labels do not match, so it does not count itself.
says='*8 Insufficient nvidia.com/gpu.*'
class=constraint
make() {
    hold 1 8 "$(gpus 8)"
    kubectl label pod held-gpu-001 app=s
    shaped p "$(gpus 1)" "$(on_rack 1), $(spread s kubernetes.io/hostname)" | apply
}
