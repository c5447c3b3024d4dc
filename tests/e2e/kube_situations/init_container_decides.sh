# SPDX-License-Identifier: Apache-2.0
# Its init container asks for more than the rest.
says='*64 Insufficient nvidia.com/gpu.*'
class=impossible
make() { shaped p "$(gpus 1)" "initContainers: [{name: first, image: none, resources: {limits: {$(gpus 9)}}}]" | apply; }
facts='.root_cause.summary | contains("9 nvidia.com/gpu")'
