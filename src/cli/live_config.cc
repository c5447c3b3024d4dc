// SPDX-License-Identifier: Apache-2.0
#include "cli/live_config.h"

#include <fmt/format.h>

namespace schedlens::cli {
namespace {

Result<Config> read(const ServeOptions& options) {
  auto config =
      options.config_file.empty() ? parse_config("", "defaults") : load_config(options.config_file);
  if (!config) return config;
  if (options.listen) {
    auto listen = parse_endpoint(*options.listen);
    if (!listen) return fail(listen.error().within("--listen"));
    config->listen = std::move(*listen);
  }
  if (options.slurm_conf) config->slurm_conf = *options.slurm_conf;
  if (options.slurm_bin) config->slurm_bin_dir = *options.slurm_bin;
  if (options.data_dir) config->data_directory = *options.data_dir;
  apply(options.kube, *config);
  if (options.slurm_conf || options.slurm_bin) config->scheduler = SchedulerKind::kSlurm;
  return config;
}

}  // namespace

void apply(const KubeOptions& options, Config& config) {
  if (options.any()) config.scheduler = SchedulerKind::kKubernetes;
  if (!options.kubeconfig.empty()) config.kubeconfig = options.kubeconfig;
  if (!options.context.empty()) config.kube_context = options.context;
  if (!options.schedulers.empty()) {
    config.kube_schedulers = fmt::format("{}", fmt::join(options.schedulers, ","));
  }
  if (!options.scheduler_ca_file.empty()) config.kube_scheduler_ca_file = options.scheduler_ca_file;
  if (options.scheduler_insecure) config.kube_scheduler_insecure = true;
  if (auto page = parse_kubelet_page(options.kubelet_use)) config.kube_usage.page = *page;
  if (options.kubelet_proxy) config.kube_usage.kubelets.reach = kube::KubeletReach::kProxy;
  if (options.kubelet_insecure) config.kube_kubelets.insecure = true;
  if (!options.kubelet_ca_file.empty()) config.kube_kubelets.ca_file = options.kubelet_ca_file;
  if (!options.gpu_exporters.empty()) config.kube_usage.gpus = options.gpu_exporters;
  // The command line has checked them. They go before what the file says of the same name.
  auto gpus = kube::parse_gpu_names(fmt::format("{}", fmt::join(options.gpu_resources, ",")));
  if (gpus) config.kube_gpus.insert(config.kube_gpus.begin(), gpus->begin(), gpus->end());
}

Result<std::unique_ptr<LiveConfig>> LiveConfig::load(const ServeOptions& options) {
  auto config = read(options);
  if (!config) return fail(config.error());
  return std::unique_ptr<LiveConfig>(new LiveConfig(options, std::move(*config)));
}

Config LiveConfig::current() const {
  std::lock_guard lock(mutex_);
  return config_;
}

std::string LiveConfig::reload_error() const {
  std::lock_guard lock(mutex_);
  return reload_error_;
}

Status LiveConfig::reload() {
  auto config = read(options_);
  std::lock_guard lock(mutex_);
  if (!config) {
    reload_error_ = config.error().message();
    return fail(config.error());
  }
  reload_error_.clear();
  if (config->listen != config_.listen) {
    log::warning("listen has changed and needs a restart; still listening at address={} port={}",
                 config_.listen.address, config_.listen.port);
    config->listen = config_.listen;
  }
  if (config->scheduler != config_.scheduler || config->kubeconfig != config_.kubeconfig ||
      config->kube_context != config_.kube_context) {
    log::warning("another scheduler or cluster is named, and needs a restart");
    config->scheduler = config_.scheduler;
    config->kubeconfig = config_.kubeconfig;
    config->kube_context = config_.kube_context;
  }
  if (config->kube_state != config_.kube_state) {
    log::warning("metrics.kube_state or kube_state_labels has changed and needs a restart");
    config->kube_state = config_.kube_state;
  }
  keep_for_a_restart(*config);
  config_ = std::move(*config);
  return {};
}

void LiveConfig::keep_for_a_restart(Config& config) const {
  auto keep = [&](auto... members) {
    const bool changed = (... || (config.*members != config_.*members));
    ((config.*members = config_.*members), ...);
    return changed;
  };
  if (keep(&Config::data_directory, &Config::data_keep_points, &Config::data_keep_hours,
           &Config::data_keep_records, &Config::data_max_gigabytes)) {
    log::warning("data.directory or what is kept there has changed and needs a restart");
  }
  if (keep(&Config::remote_write)) {
    log::warning("remote_write has changed and needs a restart");
  }
  if (keep(&Config::baseline_zone, &Config::baseline_weekend, &Config::baseline_holidays)) {
    log::warning("baseline has changed and needs a restart");
  }
  if (keep(&Config::alerts_labels, &Config::alerts_alertmanager, &Config::alerts_webhook,
           &Config::alerts_command, &Config::alerts_token_file, &Config::alerts_ca_file,
           &Config::alerts_link)) {
    log::warning("who is told of alerts has changed and needs a restart");
  }
}

}  // namespace schedlens::cli
