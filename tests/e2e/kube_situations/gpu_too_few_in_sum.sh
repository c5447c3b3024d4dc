# SPDX-License-Identifier: Apache-2.0
# One GPU is free on all nodes it may use, and it asks for two.
says='*64 Insufficient nvidia.com/gpu.*'
class=capacity
make() {
    fill_pods 511
    shaped p "$(gpus 2)" | apply
}
facts='.root_cause.summary | contains("1 nvidia.com/gpu free in all")'
