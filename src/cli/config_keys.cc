// SPDX-License-Identifier: Apache-2.0
#include "cli/config_keys.h"

#include <array>

#include "base/text.h"
#include "base/time_text.h"
#include "metrics/kube_state.h"
#include "remote/writer.h"

namespace schedlens::cli {
namespace {

constexpr std::int64_t kDay = 86'400;

template <auto member>
Status put_text(Config& config, std::string_view text) {
  config.*member = std::string(text);
  return {};
}

template <auto member>
Status put_duration(Config& config, std::string_view text) {
  auto value = parse_duration(text);
  if (!value) return fail(value.error());
  config.*member = *value;
  return {};
}

Status put_listen(Config& config, std::string_view text) {
  auto value = parse_endpoint(text);
  if (!value) return fail(value.error());
  config.listen = std::move(*value);
  return {};
}

Status put_max_series(Config& config, std::string_view text) {
  config.metrics_max_series = parse_number<std::uint32_t>(text);
  return {};
}

Status put_max_gigabytes(Config& config, std::string_view text) {
  config.data_max_gigabytes = parse_number<std::uint64_t>(text).value_or(0);
  return {};
}

template <auto member>
Status put_login(Config& config, std::string_view text) {
  config.remote_write.login.*member = std::string(text);
  return {};
}

Status put_remote_write_url(Config& config, std::string_view text) {
  if (!text.starts_with("http://") && !text.starts_with("https://")) {
    return fail("'{}' is no URL: write http://HOST:PORT/api/v1/write", printable(text));
  }
  const auto host = text.substr(text.find("://") + 3);
  if (host.substr(0, host.find('/')).find('@') != std::string_view::npos) {
    return fail("a URL with a user in it is written to the log: use remote_write.username");
  }
  config.remote_write.url = std::string(text);
  return {};
}

Status put_remote_write_labels(Config& config, std::string_view text) {
  auto labels = remote::parse_external_labels(text);
  if (!labels) return fail(labels.error());
  config.remote_write.labels = std::move(*labels);
  return {};
}

Status put_max_queue(Config& config, std::string_view text) {
  config.remote_write.max_queue_megabytes = parse_number<std::uint64_t>(text).value_or(0);
  return {};
}

template <auto member>
Status put_switch(Config& config, std::string_view text) {
  config.*member = text == "true";
  return {};
}

Status put_kube_state(Config& config, std::string_view text) {
  return model::read_state_kinds(text, config.kube_state);
}

Status put_kube_state_labels(Config& config, std::string_view text) {
  return model::read_state_labels(text, config.kube_state);
}

Status put_kube_state_left_out(Config& config, std::string_view text) {
  auto names = metrics::read_left_out(text);
  if (!names) return fail(names.error());
  config.kube_state_left_out = std::move(*names);
  return {};
}

Status put_gpus(Config& config, std::string_view text) {
  auto names = kube::parse_gpu_names(text);
  if (!names) return fail(names.error());
  config.kube_gpus = std::move(*names);
  return {};
}

Status put_scheduler(Config& config, std::string_view text) {
  if (text == "auto") {
    config.scheduler = SchedulerKind::kAuto;
  } else if (text == "slurm") {
    config.scheduler = SchedulerKind::kSlurm;
  } else if (text == "kubernetes") {
    config.scheduler = SchedulerKind::kKubernetes;
  } else {
    return fail("'{}' is none of auto, slurm, kubernetes", printable(text));
  }
  return {};
}

Status put_kubelets(Config& config, std::string_view text) {
  if (text == "no") {
    config.kube_kubelets.reach = kube::KubeletReach::kNone;
  } else if (text == "direct") {
    config.kube_kubelets.reach = kube::KubeletReach::kDirect;
  } else if (text == "proxy") {
    config.kube_kubelets.reach = kube::KubeletReach::kProxy;
  } else {
    return fail("'{}' is none of no, direct, proxy", printable(text));
  }
  return {};
}

Status put_kubelet_ca(Config& config, std::string_view text) {
  config.kube_kubelets.ca_file = std::string(text);
  return {};
}

Status put_kubelet_insecure(Config& config, std::string_view text) {
  config.kube_kubelets.insecure = text == "true";
  return {};
}

Status put_kubelet_interval(Config& config, std::string_view text) {
  auto interval = parse_duration(text);
  if (!interval) return fail(interval.error());
  config.kube_kubelets.interval = *interval;
  return {};
}

Status put_kubelet_use(Config& config, std::string_view text) {
  auto page = parse_kubelet_page(text);
  if (!page) return fail(page.error());
  config.kube_usage.page = *page;
  return {};
}

Status put_log_level(Config& config, std::string_view text) {
  auto level = log::parse_level(text);
  if (!level) return fail(level.error());
  config.log_level = *level;
  return {};
}

Status put_metrics_api(Config& config, std::string_view text) {
  config.kube_usage.metrics_api = text == "true";
  return {};
}

Status put_usage_interval(Config& config, std::string_view text) {
  auto value = parse_duration(text);
  if (!value) return fail(value.error());
  config.kube_usage.interval = *value;
  return {};
}

Status put_gpu_exporters(Config& config, std::string_view text) {
  for (auto url : split(text, ',')) {
    if (url = trim(url); !url.empty()) config.kube_usage.gpus.emplace_back(url);
  }
  return {};
}

constexpr auto kKeys = std::to_array<ConfigKey>({
    {"listen", KeyType::kEndpoint, "127.0.0.1:9817", 0, 0,
     "Address and port of the API and the metrics. Whoever reaches it can read the whole queue. A "
     "change needs a restart.",
     put_listen},
    {"log_level", KeyType::kChoice, "info", 0, 0,
     "What is written to the log: debug, info, warning or error.", put_log_level},
    {"scheduler", KeyType::kChoice, "auto", 0, 0,
     "What is watched: slurm, kubernetes, or auto: Slurm where its commands are, otherwise "
     "Kubernetes where a kubeconfig or a service account is. A change needs a restart.",
     put_scheduler},
    {"slurm.slurm_conf", KeyType::kText, "", 0, 0,
     "The slurm.conf that Slurm's commands use; without it the one they find themselves.",
     put_text<&Config::slurm_conf>},
    {"slurm.bin_dir", KeyType::kText, "", 0, 0,
     "The directory of squeue, scontrol, sdiag, sacctmgr and sprio; without it they are looked for "
     "in PATH.",
     put_text<&Config::slurm_bin_dir>},
    {"slurm.interval", KeyType::kDuration, "30s", 1, 3600,
     "Time between two reads of jobs and nodes.", put_duration<&Config::slurm_interval>},
    {"slurm.slow_interval", KeyType::kDuration, "5m", 1, 86400,
     "Time between two reads of what rarely changes: configuration, QOS, priorities, exclusions.",
     put_duration<&Config::slurm_slow_interval>},
    {"slurm.timeout", KeyType::kDuration, "30s", 1, 600,
     "A command that takes longer is ended, and its source counts as failed.",
     put_duration<&Config::slurm_timeout>},
    {"kubernetes.kubeconfig", KeyType::kText, "", 0, 0,
     "The kubeconfig file; without it KUBECONFIG or ~/.kube/config, or inside a pod its service "
     "account. A change needs a restart, as of all keys here but interval.",
     put_text<&Config::kubeconfig>},
    {"kubernetes.context", KeyType::kText, "", 0, 0,
     "The context of the kubeconfig; without it its current one.", put_text<&Config::kube_context>},
    {"kubernetes.namespace", KeyType::kText, "", 0, 0,
     "Only the pods of this namespace; without it those of all. What pods of other namespaces hold "
     "on the nodes is then not known.",
     put_text<&Config::kube_namespace>},
    {"kubernetes.interval", KeyType::kDuration, "15s", 1, 3600,
     "Time between two views of the cluster; what changes is watched all the time.",
     put_duration<&Config::kube_interval>},
    {"kubernetes.schedulers", KeyType::kList, "", 0, 0,
     "Addresses of kube-schedulers whose own metrics are read, separated by commas, such as "
     "https://10.0.0.5:10259.",
     put_text<&Config::kube_schedulers>},
    {"kubernetes.scheduler_ca_file", KeyType::kText, "", 0, 0,
     "Certificates that those schedulers' own are checked against; without it the system's.",
     put_text<&Config::kube_scheduler_ca_file>},
    {"kubernetes.scheduler_insecure", KeyType::kSwitch, "false", 0, 0,
     "Do not check their certificates: a scheduler makes its own unless it is given one. Whoever "
     "can stand in between reads our token then.",
     put_switch<&Config::kube_scheduler_insecure>},
    {"kubernetes.gpu_resources", KeyType::kList, "", 0, 0,
     "Resources that are GPUs beside those that are known, as NAME=KIND: whole (a device of one's "
     "own), slice (a fixed part of one; the name ends with a star, which stands for the part) or "
     "shared (a share of one), such as example.com/gpu=whole,example.com/part-*=slice. A name that "
     "is known may be given another kind.",
     put_gpus},
    {"kubernetes.api_server_metrics", KeyType::kSwitch, "true", 0, 0,
     "Read the API server's own metrics, once a minute. Needs `get` on the nonResourceURL "
     "/metrics; "
     "the page has some megabytes on a large cluster.",
     put_switch<&Config::kube_api_server_metrics>},
    {"kubernetes.etcd", KeyType::kText, "", 0, 0,
     "Addresses of etcd members whose own metrics are read, separated by commas, such as "
     "http://10.0.0.5:2381.",
     put_text<&Config::kube_etcd>},
    {"kubernetes.etcd_ca_file", KeyType::kText, "", 0, 0,
     "Certificates that theirs are checked against; without it the system's.",
     put_text<&Config::kube_etcd_ca_file>},
    {"kubernetes.etcd_cert_file", KeyType::kText, "", 0, 0,
     "The client certificate that they are shown, where they ask for one.",
     put_text<&Config::kube_etcd_cert_file>},
    {"kubernetes.etcd_key_file", KeyType::kText, "", 0, 0, "Its key.",
     put_text<&Config::kube_etcd_key_file>},
    {"kubernetes.kubelets", KeyType::kChoice, "no", 0, 0,
     "Read the metrics of every node's kubelet: no, direct (at the node's address; needs `get` on "
     "nodes/metrics) or proxy (through the API server; needs `get` on nodes/proxy, which allows "
     "far more).",
     put_kubelets},
    {"kubernetes.kubelet_ca_file", KeyType::kText, "", 0, 0,
     "Certificates that the kubelets' own are checked against, for direct; without it the "
     "system's.",
     put_kubelet_ca},
    {"kubernetes.kubelet_insecure", KeyType::kSwitch, "false", 0, 0,
     "Do not check their certificates: a kubelet makes its own unless it is given one. Whoever can "
     "stand in between reads our token then.",
     put_kubelet_insecure},
    {"kubernetes.kubelet_interval", KeyType::kDuration, "60s", 15, 3600,
     "Time between two reads of the kubelets' metrics.", put_kubelet_interval},
    {"kubernetes.metrics_api", KeyType::kSwitch, "true", 0, 0,
     "Ask the cluster's Metrics API (metrics-server), where it has one, what pods and nodes use.",
     put_metrics_api},
    {"kubernetes.kubelet_use", KeyType::kChoice, "no", 0, 0,
     "Ask the kubelets themselves what is used: resource for /metrics/resource, which is small and "
     "tells of CPU from the second look on, summary for /stats/summary, which is larger, or "
     "cadvisor, the largest; no. They are reached as kubernetes.kubelets says, directly where that "
     "says no. Directly it needs `get` on nodes/metrics, for summary on nodes/stats.",
     put_kubelet_use},
    {"kubernetes.gpu_exporters", KeyType::kText, "", 0, 0,
     "Addresses of dcgm-exporters, separated by commas. One that holds {node} or {address} stands "
     "for one on each node with devices, whose name or InternalIP is put there: "
     "http://{address}:9400/metrics. By https they are shown our credentials.",
     put_gpu_exporters},
    {"kubernetes.usage_interval", KeyType::kDuration, "30s", 5, 3600,
     "Time between two questions for what is used.", put_usage_interval},
    {"data.directory", KeyType::kText, "", 0, 0,
     "Where history is kept: values of the cluster's metrics, ended jobs, changes of nodes and of "
     "the configuration. It is made where there is none. Without it nothing is kept. A change of "
     "this or of what follows needs a restart.",
     put_text<&Config::data_directory>},
    {"data.keep_points", KeyType::kDuration, "15d", 2 * kDay, 3660 * kDay,
     "How long values of metrics are kept as they were, once a minute.",
     put_duration<&Config::data_keep_points>},
    {"data.keep_hours", KeyType::kDuration, "395d", 31 * kDay, 3660 * kDay,
     "How long sums of each hour are kept, in whole months.",
     put_duration<&Config::data_keep_hours>},
    {"data.keep_records", KeyType::kDuration, "395d", 31 * kDay, 3660 * kDay,
     "How long records of jobs, nodes and configurations are kept, in whole months.",
     put_duration<&Config::data_keep_records>},
    {"data.max_gigabytes", KeyType::kCount, "0", 0, 1'000'000,
     "The oldest files go while all together are larger than so many GB; 0: no limit.",
     put_max_gigabytes},
    {"baseline.time_zone", KeyType::kText, "", 0, 0,
     "The time zone of the cluster's people, such as Europe/Berlin; without it the machine's. What "
     "is usual at a time of the day is found by it. A change needs a restart, as of all of "
     "baseline and alerts but alerts.rules.",
     put_text<&Config::baseline_zone>},
    {"baseline.weekend", KeyType::kList, "sat,sun", 0, 0,
     "Days off, which are held against each other; none where all days are alike.",
     put_text<&Config::baseline_weekend>},
    {"baseline.holidays", KeyType::kText, "", 0, 0,
     "A file of holidays, one on a line (docs/baselines.md).",
     put_text<&Config::baseline_holidays>},
    {"alerts.rules", KeyType::kText, "", 0, 0,
     "A directory of rule files beside the rules that schedlens comes with (docs/alerts.md). Read "
     "again on SIGHUP.",
     put_text<&Config::alerts_rules>},
    {"alerts.labels", KeyType::kList, "", 0, 0,
     "Labels of every alert, such as cluster=lab,site=berlin.", put_text<&Config::alerts_labels>},
    {"alerts.alertmanager", KeyType::kList, "", 0, 0,
     "Addresses of Alertmanagers that are told of alerts, separated by commas, such as "
     "http://alertmanager:9093. Each of several is told.",
     put_text<&Config::alerts_alertmanager>},
    {"alerts.webhook", KeyType::kList, "", 0, 0,
     "Addresses to which alerts are posted as JSON, separated by commas.",
     put_text<&Config::alerts_webhook>},
    {"alerts.command", KeyType::kText, "", 0, 0,
     "A command of the shell that is run with alerts as JSON on its standard input.",
     put_text<&Config::alerts_command>},
    {"alerts.token_file", KeyType::kText, "", 0, 0,
     "A file with a bearer token that Alertmanagers and webhooks are shown.",
     put_text<&Config::alerts_token_file>},
    {"alerts.ca_file", KeyType::kText, "", 0, 0,
     "Certificates that theirs are checked against; without it the system's.",
     put_text<&Config::alerts_ca_file>},
    {"alerts.link", KeyType::kText, "", 0, 0,
     "The address at which people reach this server; alerts link to it.",
     put_text<&Config::alerts_link>},
    {"remote_write.url", KeyType::kText, "", 0, 0,
     "Where the values that are kept are sent to as well, by Prometheus remote write: "
     "http://prometheus:9090/api/v1/write. Needs a data.directory. A change of this or of what "
     "follows needs a restart.",
     put_remote_write_url},
    {"remote_write.bearer_token_file", KeyType::kText, "", 0, 0,
     "The file with the token that it asks for, read before each request.",
     put_login<&remote::Login::bearer_token_file>},
    {"remote_write.username", KeyType::kText, "", 0, 0, "The user, where it asks for a password.",
     put_login<&remote::Login::username>},
    {"remote_write.password_file", KeyType::kText, "", 0, 0,
     "The file with the password, read before each request.",
     put_login<&remote::Login::password_file>},
    {"remote_write.ca_file", KeyType::kText, "", 0, 0,
     "Certificates that its own is checked against; without it the system's.",
     put_login<&remote::Login::ca_file>},
    {"remote_write.labels", KeyType::kList, "", 0, 0,
     "Labels of every series that is sent, such as cluster=a,site=b.", put_remote_write_labels},
    {"remote_write.max_queue_megabytes", KeyType::kCount, "256", 1, 1'000'000,
     "The oldest values that could not be sent yet go when those on the disk have more MB.",
     put_max_queue},
    {"report.directory", KeyType::kText, "", 0, 0,
     "Where the report of each week is written when the week is over, as a page: "
     "week-2026-11-23.html "
     "(docs/report.md). Needs data.directory.",
     put_text<&Config::report_directory>},
    {"metrics.max_series_per_family", KeyType::kCount, "", 1, 10'000'000,
     "Most series of one metric; what is beyond is left out and counted in "
     "schedlens_dropped_series. Without it each metric has its own bound.",
     put_max_series},
    {"metrics.node_info", KeyType::kSwitch, "false", 0, 0,
     "One more series for each node, with its type and version.",
     put_switch<&Config::metrics_node_info>},
    {"metrics.pod_use", KeyType::kSwitch, "false", 0, 0,
     "Series of what each pod uses: up to three for every pod.",
     put_switch<&Config::metrics_pod_use>},
    {"metrics.kube_state", KeyType::kList, "", 0, 0,
     "Kinds of Kubernetes objects whose series are shown at /metrics/kube-state under the names of "
     "kube-state-metrics, separated by commas, such as pods,nodes,deployments, or all. A change "
     "needs a restart.",
     put_kube_state},
    {"metrics.kube_state_labels", KeyType::kList, "", 0, 0,
     "Labels of objects that become labels of kube_pod_labels and the like, such as "
     "\"pods=[app,team],nodes=[*]\". A change needs a restart.",
     put_kube_state_labels},
    {"metrics.kube_state_without", KeyType::kList, "", 0, 0,
     "What is left out of /metrics/kube-state: names of metrics, or regular expressions that fit "
     "some part of a name, separated by commas, such as ^kube_.+_created$.",
     put_kube_state_left_out},
});

Status check_range(const ConfigKey& key, std::string_view text) {
  if (key.type == KeyType::kDuration) {
    auto value = parse_duration(text);
    if (!value) return fail(value.error());
    if (value->value < key.min || value->value > key.max) {
      return fail("'{}' is not between {} and {}", text, short_duration({key.min}),
                  short_duration({key.max}));
    }
  }
  if (key.type == KeyType::kCount) {
    auto value = parse_number<std::int64_t>(text);
    if (!value) return fail("'{}' is no whole number", printable(text));
    if (*value < key.min || *value > key.max) {
      return fail("{} is not between {} and {}", text, key.min, key.max);
    }
  }
  if (key.type == KeyType::kSwitch && text != "true" && text != "false") {
    return fail("'{}' is neither true nor false", printable(text));
  }
  return {};
}

}  // namespace

std::string ConfigKey::type_text() const {
  switch (type) {
    case KeyType::kText:
      return "path";
    case KeyType::kEndpoint:
      return "address:port";
    case KeyType::kDuration:
      return fmt::format("duration, {} to {}", short_duration({min}), short_duration({max}));
    case KeyType::kCount:
      return fmt::format("whole number, {} to {}", min, max);
    case KeyType::kSwitch:
      return "true or false";
    case KeyType::kChoice:
      return "word";
    case KeyType::kList:
      return "words, separated by commas";
  }
  return "";
}

std::span<const ConfigKey> config_keys() {
  return kKeys;
}

const ConfigKey* find_config_key(std::string_view path) {
  for (const auto& key : kKeys) {
    if (key.path == path) return &key;
  }
  return nullptr;
}

Status set_config_key(const ConfigKey& key, Config& config, std::string_view text) {
  if (auto range = check_range(key, text); !range) return range;
  return key.put(config, text);
}

}  // namespace schedlens::cli
