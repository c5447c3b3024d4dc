# SPDX-License-Identifier: Apache-2.0
# Half of the nodes lack cores, the other half GPUs.
says='*32 Insufficient cpu, 32 Insufficient nvidia.com/gpu.*'
class=fragmentation
make() {
    hold 1 32 "cpu: 96"
    hold 33 64 "$(gpus 8)"
    shaped p "cpu: 1, $(gpus 1)" | apply
}
