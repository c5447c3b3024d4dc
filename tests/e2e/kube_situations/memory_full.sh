# SPDX-License-Identifier: Apache-2.0
# Memory is used up.
says='*64 Insufficient memory.*'
class=capacity
make() {
    hold 1 64 "memory: 1Ti"
    shaped p "memory: 1Gi" | apply
}
facts='.root_cause.summary | contains("1 GiB of memory")'
