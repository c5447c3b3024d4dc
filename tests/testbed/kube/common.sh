# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What up, down and lib.sh share. Sourced with T set to the folder that holds one cluster.
# shellcheck source=../daemons.sh
. "$(dirname "${BASH_SOURCE[0]}")/../daemons.sh"

LOCK_HOLDER=etcd

# Who may talk to the API server: user, groups.
KUBE_USERS="
admin system:masters
nodes system:masters
system:kube-scheduler
system:kube-controller-manager
monitor
"

token_file() { echo "$T/etc/token.${1##*:}"; }

# launch_kube NAME: one of the cluster's daemons, as its line in etc/daemons has it.
launch_kube() {
    local line
    line=$(grep "^$1 " "$T/etc/daemons") || die "no daemon $1"
    # shellcheck disable=SC2086 # words
    launch "$1" ${line#* }
}

# kube_get PATH: what the API server answers, which may hang, within five seconds.
kube_get() {
    curl -fsS --max-time 5 --cacert "$T/etc/ca.crt" -H @"$(token_file admin).header" "$(<"$T/etc/url")$1"
}
