# SPDX-License-Identifier: Apache-2.0
# It wants all memory of a node, and a small job runs on each.
reason='Resources'
class='fragmentation|capacity'
make() {
    local node
    for node in node0006 node0007; do
        wait_until_state "$(submit bob -p dev -w $node -n1)" RUNNING
    done
    job=$(submit alice -p dev --mem=0)
}
facts='.constraints | any(.name == "memory" and .ruled_out == 2)'
