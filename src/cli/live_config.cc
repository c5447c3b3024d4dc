// SPDX-License-Identifier: Apache-2.0
#include "cli/live_config.h"

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
  return config;
}

}  // namespace

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
  config_ = std::move(*config);
  return {};
}

}  // namespace schedlens::cli
