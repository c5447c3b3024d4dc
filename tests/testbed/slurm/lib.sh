# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Functions for tests that make situations in a cluster started by up. Source
# DIR/env, then this file. Waiting functions print what they saw and fail when
# time is over.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=accounts.sh
. "$(dirname "${BASH_SOURCE[0]}")/accounts.sh"

# as USER COMMAND...: runs it as that user, in the folder for jobs' output.
as() (
    cd "$TESTBED_DIR/out" || exit 1
    user=$1; shift
    USER=$user LOGNAME=$user HOME=/ exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
)

# submit USER [SBATCH OPTION...]: a job that sleeps for hours; prints its id.
submit() {
    local user=$1; shift
    as "$user" sbatch --parsable -o /dev/null --wrap 'exec sleep 36000' "$@"
}

job_field() { # JOB FORMAT; finished jobs too, as long as slurmctld keeps them
    squeue -h -t all -j "$1" -o "$2" 2>/dev/null | head -n 1
}

# The state as squeue or, for older jobs, accounting has it: PENDING, TIMEOUT...
job_state() {
    local state
    state=$(job_field "$1" %T)
    [[ $state ]] || state=$(sacct -n -X -P -j "$1" -o state | head -n 1)
    echo "${state%% *}"
}

job_reason() { job_field "$1" %r; }

# until_like SECONDS PATTERN COMMAND...: waits for output that the pattern fits.
until_like() {
    local seen end=$((SECONDS + $1)) pattern=$2; shift 2
    while
        seen=$("$@")
        # shellcheck disable=SC2053 # a pattern
        [[ $seen != $pattern ]]
    do
        ((SECONDS <= end)) || { echo "$*: '$seen', not '$pattern'" >&2; return 1; }
        sleep 0.1
    done
}

wait_until_state() { until_like "${3:-20}" "$2" job_state "$1"; }  # JOB STATE [SECONDS]
wait_reason() { until_like "${3:-20}" "$2" job_reason "$1"; }      # JOB REASON [SECONDS]
wait_node() { until_like "${3:-60}" "$2" node_state "$1"; }        # NODE STATE [SECONDS]

node_state() { sinfo -h -N -p all -n "$1" -o %T; }

drain() { scontrol update nodename="$1" state=drain reason="$2"; }
down() { scontrol update nodename="$1" state=down reason="${2:-set down by a test}"; }
resume() { scontrol update nodename="$1" state=resume; }

# A daemon (slurmctld, slurmdbd, slurmrestd or slurmd.NODE) that hangs and goes on,
# that ends, and that is started again. A silent slurmd is reported as not
# responding after 20 to 40 seconds, as down after 60 to 90.
freeze() { local T=$TESTBED_DIR; kill -STOP "$(pid_of "$1")"; }
thaw() { local T=$TESTBED_DIR; kill -CONT "$(pid_of "$1")"; }
stop_daemon() { local T=$TESTBED_DIR; stop_pids 10 "$(pid_of "$1")"; }
start_daemon() { local T=$TESTBED_DIR; launch_slurm "$1"; }

# With --power-saving. A node that is told to start does not while power is held.
power_off() { scontrol update nodename="$1" state=power_down; }
power_on() { scontrol update nodename="$1" state=power_up; }
hold_power() { touch "$TESTBED_DIR/run/power-held"; }
release_power() { rm -f "$TESTBED_DIR/run/power-held"; }

# Nodes with a word like this in their state.
nodes_in_state() { scontrol show node -o | sed -nE "s/^NodeName=([^ ]*) .* State=[^ ]*($1).*/\\1/p"; }

# reserve NAME OPTION...: from now on, for an hour, for root, if not said otherwise.
reserve() {
    local name=$1 default; shift
    [[ " $*" == *" users="* || " $*" == *" accounts="* ]] || set -- "$@" users=root
    for default in starttime=now duration=60; do
        [[ " $*" == *" ${default%%=*}="* ]] || set -- "$@" "$default"
    done
    scontrol -Q create reservation reservationname="$name" "$@" >/dev/null
}

# limits WORD...: sacctmgr modify WORD..., undone by reset_cluster.
limits() {
    touch "$TESTBED_DIR/run/limits-changed"
    sacctmgr -i -Q modify "$@" >/dev/null
}

# partition NAME OPTION..., node NAME OPTION...: scontrol update, undone by
# reset_cluster (which sees to states like DOWN and DRAIN anyway).
partition() { update partitionname "$@"; }
node() { update nodename "$@"; }
update() {
    touch "$TESTBED_DIR/run/conf-changed"
    scontrol update "$1=$2" "${@:3}"
}

# Forgets who used how much, on which fair share depends.
reset_usage() { sacctmgr -i -Q modify account root set rawusage=0 >/dev/null; }

no_jobs() { [[ -z $(squeue -h -t all -o %t | grep -vE '^(CD|F|TO|CA|NF|BF|DL|OOM|PR|RV|SE)$') ]]; }

repair_daemons() {
    local T=$TESTBED_DIR i name up off
    release_power
    # shellcheck disable=SC2046 # pids
    kill -CONT $(live_pids) 2>/dev/null || true
    up=" $(live | cut -d' ' -f1 | tr '\n' ' ') "
    for name in slurmdbd slurmctld slurmrestd; do
        [[ $up == *" $name "* ]] || launch_slurm "$name"
    done
    until scontrol ping >/dev/null; do sleep 0.2; done
    off=" $(nodes_in_state 'POWERED_DOWN|POWERING' | tr '\n' ' ') "
    for ((i = 0; i < TESTBED_NODES; i++)); do
        printf -v name 'node%04d' "$i"
        [[ $up == *" slurmd.$name "* || $off == *" $name "* ]] || launch_slurm "slurmd.$name"
    done
}

repair_nodes() {
    local bad
    bad=$(sinfo -h -N -p all -t down,drain,fail -o %N | paste -sd,)
    [[ -z $bad ]] || scontrol update nodename="$bad" state=resume
    bad=$(nodes_in_state POWERED_DOWN | paste -sd,)
    [[ -z $bad ]] || power_on "$bad"
}

all_nodes_idle() { [[ $(sinfo -h -N -p all -o %T | grep -cx idle) -eq $TESTBED_NODES ]]; }

# reset_cluster [SECONDS]: no jobs, no reservations, all nodes idle, and the limits
# and partitions as configured. Finished jobs stay known, as MinJobAge says.
reset_cluster() {
    local T=$TESTBED_DIR name end=$((SECONDS + ${1:-60}))
    repair_daemons
    # What waits goes first, or it would start as soon as there is room.
    squeue -h -t PD -o %A | sort -u | xargs -r scancel -Q 2>/dev/null || true
    squeue -h -o %A | sort -u | xargs -r scancel -Q 2>/dev/null || true
    until no_jobs; do
        ((SECONDS <= end)) || { squeue >&2; return 1; }
        sleep 0.1
    done
    scontrol show reservation -o | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p' |
        while read -r name; do scontrol -Q delete reservationname="$name"; done
    if [[ -e $T/run/conf-changed ]]; then
        scontrol reconfigure && rm "$T/run/conf-changed"
    fi
    if [[ -e $T/run/limits-changed ]]; then
        clear_limits && set_limits
        rm "$T/run/limits-changed"
    fi
    until all_nodes_idle; do
        ((SECONDS <= end)) || { sinfo -N -p all -t ^idle >&2; return 1; }
        repair_nodes
        sleep 0.2
    done
}
