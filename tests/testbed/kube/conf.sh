# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Writes keys, tokens, kubeconfigs and the command line of every daemon. Sourced by up, which sets
# T (folder), N (nodes), RELEASE (1.20, or empty for the newest), the PORT_* variables,
# SCHEDULER_CONFIG (file or empty), FEATURE_GATES and RUNTIME_CONFIG.

# One authority, one certificate for all servers of 127.0.0.1, one that the API server shows to
# servers behind it, one key for service accounts.
write_keys() {
    local e=$T/etc
    {
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
            -subj /CN=testbed-ca -keyout "$e/ca.key" -out "$e/ca.crt" &&
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
            -CA "$e/ca.crt" -CAkey "$e/ca.key" -subj /CN=127.0.0.1 \
            -addext subjectAltName=IP:127.0.0.1,DNS:localhost -addext basicConstraints=critical,CA:FALSE \
            -keyout "$e/server.key" -out "$e/server.crt" &&
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
            -CA "$e/ca.crt" -CAkey "$e/ca.key" -subj /CN=front-proxy \
            -addext extendedKeyUsage=clientAuth -addext basicConstraints=critical,CA:FALSE \
            -keyout "$e/front-proxy.key" -out "$e/front-proxy.crt" &&
        openssl ecparam -genkey -name prime256v1 -noout -out "$e/service-accounts.key"
    } >"$T/log/openssl.out" 2>&1 || fail_with_log openssl "cannot make keys"
}

write_users() {
    echo "https://127.0.0.1:$PORT_API" >"$T/etc/url"
    local user groups token file number=1000
    (
        umask 077
        while read -r user groups; do
            [[ $user ]] || continue
            token=$(openssl rand -hex 16) file=$(token_file "$user") number=$((number + 1))
            printf '%s' "$token" >"$file"
            printf 'Authorization: Bearer %s\n' "$token" >"$file.header"
            printf '%s,%s,%s,"%s"\n' "$token" "$user" "$number" "$groups" >>"$T/etc/tokens.csv"
            write_kubeconfig "$user" >"$T/etc/kubeconfig.${user##*:}"
        done <<<"$KUBE_USERS"
    )
}

write_kubeconfig() { # USER
    cat <<END
apiVersion: v1
kind: Config
clusters:
- name: testbed
  cluster:
    server: https://127.0.0.1:$PORT_API
    certificate-authority: $T/etc/ca.crt
users:
- name: $1
  user:
    tokenFile: $(token_file "$1")
contexts:
- name: testbed
  context: {cluster: testbed, user: "$1"}
current-context: testbed
END
}

# A caller's file says what he cares for; how to reach the API server is added here.
write_scheduler_config() {
    cat >"$T/etc/scheduler.yaml" <<END
apiVersion: kubescheduler.config.k8s.io/v1${RELEASE:+beta1}
kind: KubeSchedulerConfiguration
clientConnection:
  kubeconfig: $T/etc/kubeconfig.kube-scheduler
  qps: 5000
  burst: 10000
leaderElection:
  leaderElect: false
END
    [[ -z $SCHEDULER_CONFIG ]] || grep -vE '^(apiVersion|kind):' "$SCHEDULER_CONFIG" >>"$T/etc/scheduler.yaml"
}

# Kubelets renew their leases less often in a large fleet, and are missed later.
lease_times() {
    if ((N <= 200)); then
        RENEW=5 LEASE=20 GRACE=25
    elif ((N <= 1000)); then
        RENEW=10 LEASE=40 GRACE=50
    else
        RENEW=60 LEASE=300 GRACE=600
    fi
}

# The command lines, one daemon a line: what starts it the first time starts it again after a stop.
write_daemons() {
    local gates=${FEATURE_GATES:+--feature-gates=$FEATURE_GATES}
    # Old daemons open a port for everybody, too.
    local closed=${RELEASE:+--port=0}
    local serve="--bind-address=127.0.0.1 --tls-cert-file=$T/etc/server.crt --tls-private-key-file=$T/etc/server.key"
    local etcd="http://127.0.0.1:$PORT_ETCD" peer="http://127.0.0.1:$PORT_ETCD_PEER" name
    lease_times
    {
        echo etcd "$T/sbin/etcd" --name=testbed --data-dir="$T/etcd" --unsafe-no-fsync \
            --listen-client-urls="$etcd" --advertise-client-urls="$etcd" \
            --listen-peer-urls="$peer" --initial-advertise-peer-urls="$peer" --initial-cluster="testbed=$peer" \
            --listen-metrics-urls="http://127.0.0.1:$PORT_ETCD_METRICS" \
            --quota-backend-bytes=6000000000 --max-request-bytes=8000000 --logger=zap --log-level=warn
        # The address it tells others must not be loopback; nobody asks there. Pods need no service
        # accounts, and a node may be used as soon as it has registered.
        echo kube-apiserver "$T/sbin/kube-apiserver" $serve --secure-port="$PORT_API" \
            --advertise-address=192.0.2.10 --endpoint-reconciler-type=none \
            --etcd-servers="$etcd" --service-cluster-ip-range=10.0.0.0/24 \
            --authorization-mode=RBAC --token-auth-file="$T/etc/tokens.csv" --client-ca-file="$T/etc/ca.crt" \
            --requestheader-client-ca-file="$T/etc/ca.crt" --requestheader-allowed-names=front-proxy \
            --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
            --requestheader-extra-headers-prefix=X-Remote-Extra- \
            --proxy-client-cert-file="$T/etc/front-proxy.crt" --proxy-client-key-file="$T/etc/front-proxy.key" \
            --service-account-issuer=https://kubernetes.default.svc \
            --service-account-key-file="$T/etc/service-accounts.key" \
            --service-account-signing-key-file="$T/etc/service-accounts.key" \
            --disable-admission-plugins=ServiceAccount,TaintNodesByCondition \
            --max-requests-inflight=2000 --max-mutating-requests-inflight=1000 \
            ${RUNTIME_CONFIG:+--runtime-config=$RUNTIME_CONFIG} $gates
        echo kube-scheduler "$T/sbin/kube-scheduler" $serve --secure-port="$PORT_SCHEDULER" \
            --config="$T/etc/scheduler.yaml" $closed \
            --authentication-kubeconfig="$T/etc/kubeconfig.kube-scheduler" \
            --authorization-kubeconfig="$T/etc/kubeconfig.kube-scheduler" $gates
        name=kubeconfig.kube-controller-manager
        echo kube-controller-manager "$T/sbin/kube-controller-manager" $serve --secure-port="$PORT_KCM" \
            --kubeconfig="$T/etc/$name" $closed --authentication-kubeconfig="$T/etc/$name" \
            --authorization-kubeconfig="$T/etc/$name" --leader-elect=false \
            --use-service-account-credentials=true --root-ca-file="$T/etc/ca.crt" \
            --service-account-private-key-file="$T/etc/service-accounts.key" \
            --kube-api-qps=1000 --kube-api-burst=2000 \
            --node-monitor-period=2s --node-monitor-grace-period="${GRACE}s" $gates
        echo nodes "$T/sbin/nodes" --kubeconfig="$T/etc/kubeconfig.nodes" --count="$N" \
            --renew="${RENEW}s" --lease="${LEASE}s" \
            ${PORT_KUBELETS:+--kubelet-port=$PORT_KUBELETS --kubelet-cert=$T/etc/server.crt --kubelet-key=$T/etc/server.key}
    } >"$T/etc/daemons"
}

write_env() {
    local name pid pids=
    while read -r name pid; do pids+=" $name=$pid"; done < <(live)
    cat >"$T/env" <<END
# Source this. Daemons that are restarted get other pids; run/pids has the current ones.
export TESTBED_DIR=$T
export TESTBED_NODES=$N
export TESTBED_PIDS="${pids# }"
export PATH=$T/bin:\$PATH
export KUBECONFIG=$T/etc/kubeconfig.admin
export KUBE_URL=https://127.0.0.1:$PORT_API
export KUBE_CA_FILE=$T/etc/ca.crt
export KUBE_ADMIN_TOKEN_FILE=$T/etc/token.admin
export KUBE_MONITOR_TOKEN_FILE=$T/etc/token.monitor
export KUBE_MONITOR_KUBECONFIG=$T/etc/kubeconfig.monitor
export KUBE_SCHEDULER_URL=https://127.0.0.1:$PORT_SCHEDULER
export KUBE_CONTROLLER_MANAGER_URL=https://127.0.0.1:$PORT_KCM
export ETCD_URL=http://127.0.0.1:$PORT_ETCD
export KUBELET_PORT=${PORT_KUBELETS:-}
export GPU_EXPORTERS=${PORT_KUBELETS:+http://127.0.0.1:$((PORT_KUBELETS + 1))/{node\}/metrics}
export ETCD_METRICS_URL=http://127.0.0.1:$PORT_ETCD_METRICS
export KUBE_VERSION=$(kube_get /version | jq -r .gitVersion)
export ETCD_VERSION=$("$T/sbin/etcd" --version | sed -n 's/^etcd Version: //p')
END
}
