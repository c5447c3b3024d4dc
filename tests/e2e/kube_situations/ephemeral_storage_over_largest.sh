# SPDX-License-Identifier: Apache-2.0
# More local storage than any node has.
says='*64 Insufficient ephemeral-storage.*'
class=impossible
make() { shaped p "ephemeral-storage: 4Ti" | apply; }
