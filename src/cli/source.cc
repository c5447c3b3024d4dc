// SPDX-License-Identifier: Apache-2.0
#include "cli/source.h"

#include "api/observed_file.h"
#include "cli/live_config.h"
#include "model/kubernetes.h"
#include "model/snapshot_file.h"
#include "net/http_client.h"

namespace schedlens::cli {
namespace {

Result<model::SnapshotPtr> shared(Result<model::Snapshot> snapshot) {
  if (!snapshot) return fail(snapshot.error());
  return std::make_shared<const model::Snapshot>(std::move(*snapshot));
}

Result<model::SnapshotPtr> from_server(const std::string& server) {
  auto body = net::get_body(net::join_url(server, "/api/v1/snapshot"));
  if (!body) return fail(body.error());
  return shared(model::snapshot_from_json(*body));
}

}  // namespace

Source::Source(Where where) : where_(std::move(where)) {}

Watcher& Source::watcher() {
  if (!watcher_) {
    auto config = parse_config("", "defaults").value_or(Config{});
    apply(where_.kube, config);
    if (!where_.usage) config.kube_usage = {};
    config.kube_api_server_metrics = where_.vitals;
    config.slurm_conf = where_.slurm_conf;
    config.slurm_bin_dir = where_.slurm_bin;
    if (where_.slurm || !where_.slurm_conf.empty() || !where_.slurm_bin.empty()) {
      config.scheduler = SchedulerKind::kSlurm;
    }
    watcher_ = make_watcher(config, runner_, clock_);
  }
  return *watcher_;
}

Result<model::SnapshotPtr> Source::read() {
  auto snapshot = fetch();
  if (snapshot) last_ = *snapshot;
  return snapshot;
}

Result<model::SnapshotPtr> Source::fetch() {
  if (!where_.file.empty()) return shared(model::load_snapshot(where_.file));
  if (!where_.server.empty()) return from_server(where_.server);
  auto snapshot = watcher().collect();
  if (snapshot) return snapshot;
  return fail(
      "{}\nwithout a scheduler here, take the cluster from a server (--server URL) or from a saved "
      "snapshot (--from FILE); Slurm elsewhere is named by --slurm-conf PATH and --slurm-bin DIR, "
      "Kubernetes by --kubeconfig FILE and --context NAME",
      snapshot.error().message());
}

Result<model::SnapshotPtr> Source::add_detail(std::string_view job) {
  if (!where_.file.empty() || !where_.server.empty()) return last_;
  auto snapshot = watcher().collect_with_detail(job);
  if (snapshot) last_ = *snapshot;
  return snapshot;
}

diagnose::Observed Source::observed() const {
  if (!where_.server.empty()) {
    auto body = net::get_body(net::join_url(where_.server, "/api/v1/observed"));
    // A server that is older than this has none.
    if (body) {
      if (auto observed = api::read_observed(*body)) return std::move(*observed);
    }
  }
  diagnose::Observed observed;
  if (last_) observed.observe(*last_);
  return observed;
}

}  // namespace schedlens::cli
