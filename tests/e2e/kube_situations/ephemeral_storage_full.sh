# SPDX-License-Identifier: Apache-2.0
# Local storage is used up.
says='*64 Insufficient ephemeral-storage.*'
class=capacity
make() {
    hold 1 64 "ephemeral-storage: 3Ti"
    shaped p "ephemeral-storage: 1Gi" | apply
}
