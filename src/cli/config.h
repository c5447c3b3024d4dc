// SPDX-License-Identifier: Apache-2.0
#pragma once
// The configuration file of `schedlens serve`: YAML, every key declared once in config.cc. The
// parser, `schedlens serve --help-config` and docs/configuration.md come from that table.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/units.h"
#include "kube/gpu_names.h"
#include "kube/kubelet_options.h"
#include "kube/usage_options.h"
#include "memory/series_key.h"
#include "model/state_choice.h"
#include "remote/login.h"

namespace schedlens::cli {

struct Endpoint {
  std::string address;
  std::uint16_t port = 0;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

enum class SchedulerKind : std::uint8_t { kAuto, kSlurm, kKubernetes };

// A store elsewhere that values are sent to.
struct RemoteWriteConfig {
  std::string url;  // empty: none
  remote::Login login;
  memory::Labels labels;
  std::uint64_t max_queue_megabytes = 0;
  friend bool operator==(const RemoteWriteConfig&, const RemoteWriteConfig&) = default;
};

// Values come from the table's defaults, then the file.
struct Config {
  Endpoint listen;
  SchedulerKind scheduler = SchedulerKind::kAuto;
  std::string slurm_conf;
  std::string slurm_bin_dir;
  Seconds slurm_interval;
  Seconds slurm_slow_interval;
  Seconds slurm_timeout;
  std::string kubeconfig;
  std::string kube_context;
  std::string kube_namespace;
  Seconds kube_interval;
  std::string kube_schedulers;  // addresses, separated by commas
  std::string kube_scheduler_ca_file;
  bool kube_scheduler_insecure = false;
  std::vector<kube::GpuName> kube_gpus;
  bool kube_api_server_metrics = false;
  std::string kube_etcd;  // addresses, separated by commas
  std::string kube_etcd_ca_file, kube_etcd_cert_file, kube_etcd_key_file;
  kube::KubeletOptions kube_kubelets;
  // How kubelets are reached stands above; here only where it differs.
  kube::UsageOptions kube_usage;
  std::string data_directory;  // empty: nothing is kept
  Seconds data_keep_points, data_keep_hours, data_keep_records;
  std::uint64_t data_max_gigabytes = 0;  // 0: no limit
  std::string report_directory;
  std::string baseline_zone, baseline_weekend, baseline_holidays;
  std::string alerts_rules, alerts_labels;
  std::string alerts_alertmanager, alerts_webhook;  // addresses, separated by commas
  std::string alerts_command, alerts_token_file, alerts_ca_file, alerts_link;
  RemoteWriteConfig remote_write;
  std::optional<std::uint32_t> metrics_max_series;
  bool metrics_node_info = false;
  bool metrics_pod_use = false;
  model::StateChoice kube_state;                 // kinds, and labels of them
  std::vector<std::string> kube_state_left_out;  // names of metrics
  log::Level log_level = log::Level::kInfo;

  friend bool operator==(const Config&, const Config&) = default;
};

// Every error is a line "file:line:column: what is wrong"; there may be several.
Result<Config> parse_config(std::string_view yaml, std::string_view file_name);
Result<Config> load_config(const std::string& path);

// "127.0.0.1:9817", "[::1]:9817", "login1:9817"
Result<Endpoint> parse_endpoint(std::string_view text);
// "no", "resource", "summary", "cadvisor"
Result<kube::KubeletPage> parse_kubelet_page(std::string_view text);
// "30s", "5m", "2h", "1d"
Result<Seconds> parse_duration(std::string_view text);

// All keys with type, default and meaning: for a terminal, and as docs/configuration.md, which ends
// with a file of all defaults.
std::string config_help();
std::string config_markdown();

}  // namespace schedlens::cli
