# SPDX-License-Identifier: Apache-2.0
# All GPUs are free, but no core beside them.
says='*64 Insufficient cpu.*'
class=capacity
make() {
    hold 1 64 "cpu: 96"
    shaped p "cpu: 1, $(gpus 1)" | apply
}
facts='.gpus.free == 512 and .gpus.stranded == 512'
