# SPDX-License-Identifier: Apache-2.0
# 64 GPUs are free, one on each node.
says='*64 Insufficient nvidia.com/gpu.*'
class=fragmentation
make() {
    hold 1 64 "$(gpus 7)"
    shaped p "$(gpus 2)" | apply
}
facts='(.root_cause.summary | contains("64 nvidia.com/gpu free in all, at most 1 nvidia.com/gpu on one node")) and .gpus.free == 64 and .gpus.largest_hole == 1'
