# SPDX-License-Identifier: Apache-2.0
# The feature it wants was taken from all nodes after it was submitted.
reason='BadConstraints'
class=impossible
make() {
    job=$(submit alice -p dev -C rackB --begin=now+4)
    scontrol update nodename=node[0006-0007] availablefeatures=a100 activefeatures=a100
}
restore() { scontrol update nodename=node[0006-0007] availablefeatures=a100,rackB activefeatures=a100,rackB; }
facts='.constraints | any(.name == "features")'
