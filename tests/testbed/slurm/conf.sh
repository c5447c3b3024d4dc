# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Writes the configuration of every daemon. Sourced by up, which sets
# T (folder), N (nodes), the PORT_* variables, APPEND (file or empty), OOM_NODE and
# POWER_SAVING.

write_conf() {
    local last train_last ports leaf i
    last=$(node_name $((N - 1)))
    TRAIN_N=$((N - (N + 3) / 4)) # a quarter, at least one node, is for development
    train_last=$(node_name $((TRAIN_N - 1)))
    ports=$PORT_SLURMD

    cat >"$T/etc/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$PORT_CTLD
SlurmctldAddr=127.0.0.1
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$T/munge/munge.socket
CredType=cred/munge
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$T/etc/jwt.key
CommunicationParameters=NoInAddrAny,DisableIPv6
StateSaveLocation=$T/state
SlurmdSpoolDir=$T/spool/%n
SlurmctldPidFile=$T/run/slurmctld.pid
SlurmdPidFile=$T/run/slurmd.%n.pid
SlurmctldLogFile=$T/log/slurmctld.log
SlurmdLogFile=$T/log/slurmd.%n.log
SlurmSchedLogFile=$T/log/sched.log
SlurmSchedLogLevel=1
SlurmctldDebug=info
SlurmdDebug=info
# With --oom-node one slurmd has another configuration, which is no mistake.
DebugFlags=NO_CONF_HASH
LogTimeFormat=iso8601_ms
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
# 2 would bring nodes that a test has set down back by themselves.
ReturnToService=1
SlurmdParameters=config_overrides
SlurmctldTimeout=120
# Short, so that a stopped slurmd is soon noticed.
SlurmdTimeout=60
InactiveLimit=0
MinJobAge=120
KillWait=2
Waittime=0
MaxJobCount=50000
MaxArraySize=20001
TreeWidth=65533
JobRequeue=1
SchedulerType=sched/backfill
# Short cycles: a test sees the scheduler's verdict within seconds.
SchedulerParameters=bf_interval=3,bf_continue,bf_window=4320,bf_resolution=60,bf_max_job_test=1000,default_queue_depth=500,sched_interval=3,batch_sched_delay=0,preempt_youngest_first,requeue_setup_env_fail,max_rpc_cnt=150
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
Licenses=matlab:2
TopologyPlugin=topology/tree
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:00:02
PriorityType=priority/multifactor
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=00:01:00
PriorityMaxAge=7-0
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=2000
PriorityWeightQOS=5000
PriorityWeightTRES=cpu=100,mem=100,gres/gpu=500
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$PORT_DBD
# AuthInfo is not used towards slurmdbd; this is the socket's path there.
AccountingStoragePass=$T/munge/munge.socket
AccountingStorageEnforce=associations,limits,qos,safe
AccountingStorageTRES=gres/gpu,gres/gpu:a100
AccountingStoreFlags=job_comment,job_env,job_script
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=10
JobAcctGatherParams=OverMemoryKill
JobCompType=jobcomp/filetxt
JobCompLoc=$T/log/jobcomp.log
NodeName=DEFAULT Sockets=2 CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1000000 Gres=gpu:a100:8 State=UNKNOWN
NodeName=node[0000-${train_last#node}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$ports-$((ports + TRAIN_N - 1))] Feature=a100,ib,rackA Weight=10
NodeName=node[$(printf %04d "$TRAIN_N")-${last#node}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((ports + TRAIN_N))-$((ports + N - 1))] Feature=a100,rackB Weight=20
PartitionName=train Nodes=node[0000-${train_last#node}] Default=YES MaxTime=7-00:00:00 DefaultTime=01:00:00 State=UP PriorityJobFactor=100 PriorityTier=10 OverSubscribe=NO DefMemPerCPU=4000
PartitionName=dev Nodes=node[$(printf %04d "$TRAIN_N")-${last#node}] MaxTime=04:00:00 DefaultTime=00:30:00 MaxNodes=2 State=UP PriorityJobFactor=50 PriorityTier=10 DefMemPerCPU=4000
PartitionName=all Nodes=ALL MaxTime=1-00:00:00 State=UP PriorityJobFactor=10 PriorityTier=5 DefMemPerCPU=4000 AllowQos=normal,scavenger,high
END
    ((!POWER_SAVING)) || write_power_saving
    [[ -z $APPEND ]] || cat "$APPEND" >>"$T/etc/slurm.conf"

    for ((i = leaf = 0; i < N; i += 8, leaf++)); do
        printf 'SwitchName=leaf%d Nodes=node[%04d-%04d]\n' \
            "$leaf" "$i" $((i + 7 < N ? i + 7 : N - 1))
    done >"$T/etc/topology.conf"
    echo "SwitchName=spine0 Switches=leaf[0-$((leaf - 1))]" >>"$T/etc/topology.conf"

    # Eight devices that any process may open stand for the GPUs of every node.
    for i in {0..7}; do mknod "$T/dev/nvidia$i" c 1 3; done
    cat >"$T/etc/gres.conf" <<END
AutoDetect=off
NodeName=node[0000-${last#node}] Name=gpu Type=a100 File=$T/dev/nvidia[0-7]
END
    cat >"$T/etc/cgroup.conf" <<END
CgroupPlugin=cgroup/v1
CgroupAutomount=no
END
    ((!OOM_NODE)) || write_oom_node "slurmd.$last"
    cat >"$T/etc/slurmdbd.conf" <<END
AuthType=auth/munge
AuthInfo=socket=$T/munge/munge.socket
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$T/etc/jwt.key
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$PORT_DBD
SlurmUser=slurm
DebugLevel=info
LogFile=$T/log/slurmdbd.log
PidFile=$T/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$PORT_DB
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
CommunicationParameters=NoInAddrAny,DisableIPv6
END
    # The data is thrown away: speed counts, not safety after a power cut.
    cat >"$T/etc/my.cnf" <<END
[mysqld]
datadir=$T/db
socket=$T/run/mysql.sock
pid-file=$T/run/mysqld.pid
bind-address=127.0.0.1
port=$PORT_DB
user=mysql
skip-log-bin
skip-name-resolve
performance_schema=OFF
innodb_buffer_pool_size=128M
innodb_log_file_size=32M
innodb_flush_log_at_trx_commit=0
innodb_doublewrite=0
innodb_lock_wait_timeout=900
END
    head -c 32 /dev/urandom >"$T/etc/jwt.key"
    chown slurm: "$T/etc/jwt.key" "$T/etc/slurmdbd.conf"
    chmod 600 "$T/etc/jwt.key" "$T/etc/slurmdbd.conf"
    echo "$PORT_REST" >"$T/etc/rest_port"
}

# A node that holds jobs to their memory by cgroups: those that take more end as
# OUT_OF_MEMORY. Only one, and only if asked for: the cgroups are named after user
# and job only, so those of two clusters can get into each other's way.
write_oom_node() {
    mkdir "$T/etc/$1"
    # slurmd takes two ways of enforcing memory at once as an error.
    sed 's|^ProctrackType=.*|ProctrackType=proctrack/cgroup|; s|^TaskPlugin=.*|TaskPlugin=task/cgroup|
        /^JobAcctGatherParams=OverMemoryKill/d' \
        "$T/etc/slurm.conf" >"$T/etc/$1/slurm.conf"
    ln -s ../gres.conf ../topology.conf "$T/etc/$1/"
    cat >"$T/etc/$1/cgroup.conf" <<END
CgroupPlugin=cgroup/v1
CgroupMountpoint=/sys/fs/cgroup
CgroupAutomount=no
ConstrainRAMSpace=yes
ConstrainSwapSpace=no
END
}

# The pipe is not in run/: others may not write to pipes in folders where all may
# write. Nodes can be switched off and on by scontrol (state=power_down, power_up), and are
# switched on for jobs; none is switched off for being idle.
write_power_saving() {
    local action
    for action in on off; do
        cat >"$T/etc/power_$action" <<END
#!/bin/bash
for node in \$(scontrol show hostnames "\$1"); do echo "$action \$node" >>'$T/etc/power'; done
END
        chmod 755 "$T/etc/power_$action"
    done
    mkfifo -m 666 "$T/etc/power"
    cat >>"$T/etc/slurm.conf" <<END
SuspendProgram=$T/etc/power_off
ResumeProgram=$T/etc/power_on
SuspendTime=31536000
SuspendTimeout=15
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
END
}

# What tests source. SLURM_JWT itself is left out: with it set, every Slurm
# command would use the token instead of munge.
write_env() {
    cat >"$T/env" <<END
export TESTBED_DIR='$T'
export TESTBED_NODES=$N
export SLURM_CONF='$T/etc/slurm.conf'
export SLURM_JWT_FILE='$T/etc/token'
export SLURMRESTD_URL=http://127.0.0.1:$PORT_REST
export TESTBED_PORT_CTLD=$PORT_CTLD
export TESTBED_PORT_DBD=$PORT_DBD
export TESTBED_PORT_REST=$PORT_REST
export TESTBED_PORT_DB=$PORT_DB
export TESTBED_PORT_SLURMD=$PORT_SLURMD
case :\$PATH: in *:/usr/sbin:*) ;; *) export PATH="\$PATH:/usr/sbin" ;; esac
END
}
