# SPDX-License-Identifier: Apache-2.0
# No core is free on the nodes it may use.
says='0/64 nodes are available: 64 Insufficient cpu.*'
class=capacity
make() {
    hold 1 64 "cpu: 96"
    shaped p "cpu: 1" | apply
}
facts='.constraints | any(.name == "NodeResourcesFit" and .ruled_out == 64 and .only == 64)'
