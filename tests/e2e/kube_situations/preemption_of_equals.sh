# SPDX-License-Identifier: Apache-2.0
# Pods of its own priority are not preempted.
says='*8 Insufficient nvidia.com/gpu*8 No preemption victims found*'
class=constraint
make() {
    priority urgent 1000
    hold 1 8 "$(gpus 8)" "priorityClassName: urgent"
    shaped p "$(gpus 1)" "$(on_rack 1), priorityClassName: urgent" | apply
}
