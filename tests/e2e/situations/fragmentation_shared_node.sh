# SPDX-License-Identifier: Apache-2.0
# 24 CPUs are free on the only node that it may use, but the jobs there share CPUs and it does not.
reason='Resources'
class=fragmentation
make() {
    cp "$SLURM_CONF" "$SLURM_CONF.before"
    echo "PartitionName=force Nodes=node0006 State=UP PriorityTier=10 OverSubscribe=FORCE:2 DefMemPerCPU=1000" >>"$SLURM_CONF"
    echo "PartitionName=alone Nodes=node0006 State=UP PriorityTier=10 DefMemPerCPU=1000" >>"$SLURM_CONF"
    scontrol reconfigure
    wait_until_state "$(submit bob -p force -n1 -c40)" RUNNING
    job=$(submit alice -p alone -n1 -c4)
}
restore() {
    squeue -h -o %A | xargs -r scancel -Q
    until no_jobs; do sleep 0.1; done
    mv "$SLURM_CONF.before" "$SLURM_CONF"
    scontrol reconfigure
}
facts='(.fits_now | not) and (.constraints | any(.name == "oversubscribe" and .only == 1))'
