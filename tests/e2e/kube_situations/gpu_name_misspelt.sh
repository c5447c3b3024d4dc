# SPDX-License-Identifier: Apache-2.0
# A resource that no node has, by a wrong name.
says='*64 Insufficient nvidia.com/gpus.*'
class=impossible
make() { shaped p "nvidia.com/gpus: 1" | apply; }
facts='.root_cause.summary | contains("1 nvidia.com/gpus, and no node it may use has any")'
