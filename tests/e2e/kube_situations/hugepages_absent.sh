# SPDX-License-Identifier: Apache-2.0
# No node has huge pages.
says='*64 Insufficient hugepages-2Mi.*'
class=impossible
make() { shaped p "cpu: 1, memory: 1Gi, hugepages-2Mi: 4Mi" | apply; }
facts='.root_cause.summary | contains("no node it may use has any")'
