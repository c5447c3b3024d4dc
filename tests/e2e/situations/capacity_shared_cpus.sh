# SPDX-License-Identifier: Apache-2.0
# Two jobs may share a CPU of its partition. Two jobs hold the same 40 of 64 CPUs; 20 more would be
# found in either row, 30 are in none.
reason=Resources
class=capacity
make() {
    local first
    cp "$SLURM_CONF" "$SLURM_CONF.before"
    echo "PartitionName=force Nodes=node0006 State=UP PriorityTier=10 OverSubscribe=FORCE:2 DefMemPerCPU=1000" >>"$SLURM_CONF"
    scontrol reconfigure
    for _ in 1 2; do
        first=$(submit bob -p force -n1 -c40)
        wait_until_state "$first" RUNNING
    done
    job=$(submit alice -p force -n1 -c30)
}
restore() {
    squeue -h -o %A | xargs -r scancel -Q
    until no_jobs; do sleep 0.1; done
    mv "$SLURM_CONF.before" "$SLURM_CONF"
    scontrol reconfigure
}
facts='(.fits_now | not) and (.constraints | any(.name == "cpus" and .only == 1))'
