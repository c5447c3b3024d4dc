# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What up, down and lib.sh share. Sourced with T set to the folder that holds one cluster.
# shellcheck source=../daemons.sh
. "$(dirname "${BASH_SOURCE[0]}")/../daemons.sh"

LOCK_HOLDER=mariadbd

node_name() { printf 'node%04d' "$1"; }

# launch_slurm NAME [OPTION...]: one of Slurm's daemons; a slurmd as slurmd.NODE.
launch_slurm() {
    local name=$1 conf=$T/etc/slurm.conf; shift
    # A node may have a configuration of its own.
    [[ -e $T/etc/$name/slurm.conf ]] && conf=$T/etc/$name/slurm.conf
    local DAEMON_ENV="SLURM_CONF=$conf"
    case $name in
        slurmd.*) launch "$name" slurmd -D -N "${name#slurmd.}" "$@" ;;
        # It refuses to run as root; whoever asks shows who they are by token.
        slurmrestd)
            DAEMON_ENV+=" SLURM_JWT=daemon"
            launch "$name" setpriv --reuid=nobody --regid=nogroup --clear-groups \
                slurmrestd -a rest_auth/jwt "127.0.0.1:$(<"$T/etc/rest_port")" ;;
        *) launch "$name" "$name" -D "$@" ;;
    esac
}
