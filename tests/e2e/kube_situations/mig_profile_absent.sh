# SPDX-License-Identifier: Apache-2.0
# A slice of a GPU that no node offers.
says='*64 Insufficient nvidia.com/mig-1g.10gb.*'
class=impossible
make() { shaped p "nvidia.com/mig-1g.10gb: 1" | apply; }
facts='.root_cause.summary | contains("mig-1g.10gb")'
