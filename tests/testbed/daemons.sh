# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the test clusters share: messages, and starting and stopping daemons by
# recorded pid. Sourced with T set to the folder that holds one cluster.

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# A pid alone may have been reused since it was written down; with the start time
# (field 22 of stat, counted after the command's closing bracket) it is unique.
# Sets STARTED, and forks nothing, as this is done for every node; fails for a
# process that has ended.
started() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    read -ra stat <<<"${stat##*) }"
    STARTED=${stat[19]}
    [[ ${stat[0]} != Z ]]
}

# launch NAME COMMAND...: starts a daemon in the foreground of its own session,
# with none of the caller's variables, and records it in run/pids.
# Descriptor 8 is the folder's lock, 9 that of its ports: only the cluster's database
# (LOCK_HOLDER) inherits them (see up), so the locks live exactly as long as the cluster.
launch() {
    local name=$1 keep_locks=0; shift
    [[ $name == "$LOCK_HOLDER" ]] && keep_locks=1
    (
        ((keep_locks)) || exec 8>&- 9>&-
        cd "$T" || exit 1
        exec setsid env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
            ${DAEMON_ENV:-} "$@" </dev/null >>"$T/log/$name.out" 2>&1
    ) &
    started $!
    echo "$name $! $STARTED" >>"$T/run/pids"
}

# live [PATTERN]: name and pid of the recorded daemons that still run, newest first.
live() {
    local name pid started
    [[ -e $T/run/pids ]] || return 0
    while read -r name pid started; do
        # shellcheck disable=SC2053 # a pattern
        [[ $name == ${1:-*} ]] && started "$pid" && [[ $STARTED == "$started" ]] && echo "$name $pid"
    done < <(tac "$T/run/pids")
    return 0
}
live_pids() { live "$@" | cut -d' ' -f2; }
pid_of() { live "$1" | sed 's/.* //' | grep . ; }

# stop_pids SECONDS PID...: asks them to end, and kills what has not by then.
stop_pids() {
    local tenths=$(($1 * 10)) pid left; shift
    (($#)) || return 0
    kill -TERM "$@" 2>/dev/null
    kill -CONT "$@" 2>/dev/null # a stopped process would never see the TERM
    while ((tenths-- > 0)); do
        left=()
        for pid; do started "$pid" && left+=("$pid"); done
        ((${#left[@]})) || return 0
        set -- "${left[@]}"
        sleep 0.1
    done
    kill -KILL "$@" 2>/dev/null
    sleep 0.1
}

# Without connecting, which a database would count as an error.
listening() {
    local hex; printf -v hex '%04X' "$1"
    grep -qE "^ *[0-9]+: [0-9A-F]{8}:$hex 00000000:0000 0A" /proc/net/tcp
}

fail_with_log() {
    local log
    for log in "$T/log/$1.log" "$T/log/$1.out"; do
        [[ -s $log ]] || continue
        printf -- '--- tail of %s\n' "$log" >&2
        tail -n 15 "$log" >&2
        break
    done
    die "$2"
}

# await DAEMON SECONDS COMMAND...: repeats COMMAND until it succeeds; gives up,
# showing the daemon's log, when time is over or the daemon has ended.
await() {
    local name=$1 end=$((SECONDS + $2)); shift 2
    until "$@" >/dev/null 2>&1; do
        pid_of "$name" >/dev/null || fail_with_log "$name" "$name ended during start"
        ((SECONDS <= end)) || fail_with_log "$name" "waited too long for $name: $*"
        sleep 0.1
    done
}
