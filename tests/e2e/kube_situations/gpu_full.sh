# SPDX-License-Identifier: Apache-2.0
# All 512 GPUs are in use.
says='0/64 nodes are available: 64 Insufficient nvidia.com/gpu.*No preemption victims found*'
class=capacity
make() {
    fill_pods 512
    shaped p "$(gpus 1)" | apply
}
facts='.gpus.free == 0'
