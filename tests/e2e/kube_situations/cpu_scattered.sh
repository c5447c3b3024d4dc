# SPDX-License-Identifier: Apache-2.0
# 64 cores are free, one on each node.
says='*64 Insufficient cpu.*'
class=fragmentation
make() {
    hold 1 64 "cpu: 95"
    shaped p "cpu: 2" | apply
}
facts='.root_cause.summary | contains("64 cpu free in all, at most 1 cpu on one node")'
