# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Accounts, users, QOS and their limits, as every test finds them:
#   root -> research{llm: alice bob, vision: carol alice}, product{dave, ads: erin}

mgr() { sacctmgr -i -Q "$@" >/dev/null; }

# together: modifies what each line of the input says. All at once, since a command
# takes a quarter of a second, nearly all of it spent waiting on the network.
together() {
    local words pid pids=() failed=0
    while read -ra words; do
        mgr modify "${words[@]}" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
    return "$failed"
}

# slurmctld drops a QOS unknown to it from its partitions' AllowQos, and refuses
# limits on GPUs before it has told accounting about them: so this comes before
# slurmctld starts, and set_limits after.
create_accounts() {
    mgr add cluster lab || return 1
    mgr add qos scavenger,high,urgent,capped
    mgr add account research,product parent=root
    mgr add account llm,vision parent=research
    mgr add account ads parent=product
    mgr add user alice,bob account=llm
    mgr add user carol,alice account=vision
    mgr add user dave account=product
    mgr add user erin account=ads
}

# Takes away every limit there may be.
clear_limits() {
    local none=cpu=-1,mem=-1,node=-1,billing=-1,gres/gpu=-1 all
    all="GrpTRES=$none GrpTRESMins=$none GrpTRESRunMins=$none GrpJobs=-1 GrpSubmitJobs=-1 GrpWall=-1"
    all+=" MaxTRESPerJob=$none MaxTRESMinsPerJob=$none MaxWall=-1"
    together <<END
qos where name=normal,scavenger,high,urgent,capped set $all MaxTRESPerNode=$none MinTRESPerJob=$none \
MaxTRESPerUser=$none MaxJobsPerUser=-1 MaxSubmitJobsPerUser=-1 \
MaxTRESPerAccount=$none MaxJobsPerAccount=-1 MaxSubmitJobsPerAccount=-1 GraceTime=0 \
PreemptExemptTime=-1
account where name=root,research,llm,vision,product,ads set $all MaxJobs=-1 MaxSubmitJobs=-1
user where name=alice,bob,carol,dave,erin set $all MaxJobs=-1 MaxSubmitJobs=-1
END
}

set_limits() {
    together <<'END'
qos normal set Priority=100
qos scavenger set Priority=1 PreemptMode=requeue Flags=NoReserve
qos high set Priority=1000 Preempt=scavenger PreemptMode=requeue MaxTRESPerUser=gres/gpu=64
qos urgent set Priority=5000 Preempt=normal,scavenger PreemptMode=requeue GrpTRES=gres/gpu=64
qos capped set Priority=10 Flags=DenyOnLimit GrpTRES=gres/gpu=16 MaxJobsPerUser=4
account research set Fairshare=60
account product set Fairshare=40 GrpTRES=gres/gpu=128
account llm set Fairshare=70
account vision set Fairshare=30
account ads set Fairshare=100 GrpTRES=node=4
user alice where account=llm set Fairshare=50 QOS=capped,high,normal,scavenger,urgent DefaultQOS=normal
user bob where account=llm set Fairshare=50 QOS=capped,high,normal,scavenger DefaultQOS=normal
user alice where account=vision set Fairshare=10 QOS=normal,scavenger DefaultQOS=normal
user carol where account=vision set Fairshare=100 QOS=high,normal,scavenger DefaultQOS=normal
user dave where account=product set Fairshare=50 QOS=normal,scavenger,urgent DefaultQOS=normal
user erin where account=ads set Fairshare=100 QOS=normal,scavenger DefaultQOS=normal MaxJobs=3
END
}
