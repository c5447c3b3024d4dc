# SPDX-License-Identifier: Apache-2.0
# More memory than any node has.
says='*64 Insufficient memory.*64 Preemption is not helpful*'
class=impossible
make() { shaped p "memory: 2Ti" | apply; }
facts='.root_cause.summary | contains("2 TiB") and contains("1 TiB")'
