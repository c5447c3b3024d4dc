# SPDX-License-Identifier: Apache-2.0
# Nine GPUs, where nodes have eight.
says='*64 Insufficient nvidia.com/gpu.*64 Preemption is not helpful*'
class=impossible
make() { shaped p "$(gpus 9)" | apply; }
facts='.root_cause.summary | contains("9 nvidia.com/gpu") and contains("has 8 nvidia.com/gpu")'
