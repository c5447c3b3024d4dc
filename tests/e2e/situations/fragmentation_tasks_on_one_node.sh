# SPDX-License-Identifier: Apache-2.0
# All its tasks must be on one node; CPUs are free, too few on each.
reason='Resources'
class=fragmentation
make() {
    local node
    for node in node0006 node0007; do
        wait_until_state "$(submit bob -p dev -w $node -c 40)" RUNNING
    done
    job=$(submit alice -p dev -N1 -n4 -c8)
}
facts='.constraints | any(.name == "cpus" and .ruled_out == 2)'
