// SPDX-License-Identifier: Apache-2.0
#include "cli/watcher.h"

#include "base/text.h"
#include "kube/collector.h"
#include "slurm/collector.h"
#include "slurm/commands.h"

namespace schedlens::cli {
namespace {

slurm::Options slurm_options(const Config& config) {
  return {config.slurm_conf, config.slurm_bin_dir, config.slurm_interval,
          config.slurm_slow_interval, config.slurm_timeout};
}

class SlurmWatcher final : public Watcher {
 public:
  SlurmWatcher(const Config& config, os::ProcessRunner& runner, const os::Clock& clock)
      : collector_(slurm_options(config), runner, clock) {}

  Result<model::SnapshotPtr> collect() override { return collector_.collect(); }
  Result<model::SnapshotPtr> collect_with_detail(std::string_view workload) override {
    return collector_.collect_with_detail(workload);
  }
  model::SnapshotPtr current() const override { return collector_.current(); }
  void start() override { collector_.start(); }
  void stop() override { collector_.stop(); }
  void configure(const Config& config) override { collector_.set_options(slurm_options(config)); }
  Seconds interval(const Config& config) const override { return config.slurm_interval; }
  std::vector<std::string> essential_sources() const override {
    std::vector<std::string> names;
    for (auto id : {slurm::SourceId::kJobs, slurm::SourceId::kNodes}) {
      names.emplace_back(slurm::source_kind(id).name);
    }
    return names;
  }
  std::string first_read_trouble() const override { return collector_.first_read_trouble(); }

 private:
  slurm::Collector collector_;
};

// A list with commas between them.
std::vector<kube::PageAddress> addresses(const std::string& list) {
  std::vector<kube::PageAddress> all;
  for (auto url : split(list, ',')) {
    if (url = trim(url); !url.empty()) all.emplace_back().url = url;
  }
  return all;
}

kube::Options kube_options(const Config& config) {
  kube::Options options;
  options.choice = {config.kubeconfig, config.kube_context};
  options.ns = config.kube_namespace;
  options.interval = config.kube_interval;
  options.details = config.kube_state;
  options.gpus = config.kube_gpus;
  options.schedulers = addresses(config.kube_schedulers);
  for (auto& address : options.schedulers) {
    address.ca_file = config.kube_scheduler_ca_file;
    address.insecure = config.kube_scheduler_insecure;
  }
  options.etcd = addresses(config.kube_etcd);
  for (auto& address : options.etcd) {
    address.ca_file = config.kube_etcd_ca_file;
    address.client_certificate_file = config.kube_etcd_cert_file;
    address.client_key_file = config.kube_etcd_key_file;
  }
  options.api_server = config.kube_api_server_metrics;
  options.kubelets = config.kube_kubelets;
  options.usage = config.kube_usage;
  auto& kubelets = options.usage.kubelets;
  const auto reach = kubelets.reach;
  kubelets = config.kube_kubelets;
  if (reach != kube::KubeletReach::kNone) kubelets.reach = reach;
  if (kubelets.reach == kube::KubeletReach::kNone) kubelets.reach = kube::KubeletReach::kDirect;
  return options;
}

class KubeWatcher final : public Watcher {
 public:
  KubeWatcher(const Config& config, os::ProcessRunner& runner, const os::Clock& clock)
      : collector_(kube_options(config), runner, clock) {}

  Result<model::SnapshotPtr> collect() override { return collector_.collect(); }
  // What is watched is known whole.
  Result<model::SnapshotPtr> collect_with_detail(std::string_view) override {
    if (auto snapshot = collector_.current()) return snapshot;
    return collector_.collect();
  }
  model::SnapshotPtr current() const override { return collector_.current(); }
  void start() override { collector_.start(); }
  void stop() override { collector_.stop(); }
  void configure(const Config& config) override { collector_.set_options(kube_options(config)); }
  Seconds interval(const Config& config) const override { return config.kube_interval; }
  Seconds longest_quiet() const override { return kube::longest_quiet(); }
  std::vector<std::string> essential_sources() const override { return {"nodes", "pods"}; }
  std::string first_read_trouble() const override { return collector_.first_read_trouble(); }

 private:
  kube::Collector collector_;
};

}  // namespace

std::unique_ptr<Watcher> make_watcher(const Config& config, os::ProcessRunner& runner,
                                      const os::Clock& clock) {
  const kube::Choice choice{config.kubeconfig, config.kube_context};
  auto scheduler = config.scheduler;
  if (scheduler == SchedulerKind::kAuto) {
    const bool slurm = slurm::slurm_seems_installed(slurm_options(config));
    const bool kube = kube::access_seems_present(choice, kube::Surroundings::of_process());
    if (!slurm && kube) scheduler = SchedulerKind::kKubernetes;
  }
  // Where there is neither, Slurm's own error says where it was looked for.
  if (scheduler == SchedulerKind::kKubernetes) {
    return std::make_unique<KubeWatcher>(config, runner, clock);
  }
  return std::make_unique<SlurmWatcher>(config, runner, clock);
}

}  // namespace schedlens::cli
