// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/facts.h"

namespace schedlens::report {
namespace {

constexpr std::chrono::hours kHour{1};

Result<std::vector<Hourly>> hourly(memory::Reader& reader, const std::string& metric,
                                   const Period& period) {
  auto series = reader.buckets({metric, {}}, period.range(), kHour);
  if (!series) return fail(series.error());
  const auto hours = static_cast<std::size_t>(period.length().value / 3600);
  std::vector<Hourly> all;
  for (const auto& one : *series) {
    Hourly h{one.key, {}, {}};
    h.mean.resize(hours);
    h.last.resize(hours);
    for (const auto& bucket : one.buckets) {
      const auto at = (bucket.start.unix_ms / 1000 - period.from.unix_seconds) / 3600;
      if (at < 0 || static_cast<std::size_t>(at) >= hours || bucket.summary.n == 0) continue;
      h.mean[static_cast<std::size_t>(at)] = bucket.summary.mean();
      h.last[static_cast<std::size_t>(at)] = bucket.summary.last;
    }
    all.push_back(std::move(h));
  }
  return all;
}

// The changes of the period behind the last of each node before it.
Result<std::vector<memory::NodeChange>> changes_of(memory::Reader& reader, const Period& period) {
  auto all = reader.node_changes({{memory::kFirstMoment, memory::moment_of(period.to)}, {}});
  if (!all) return fail(all.error());
  std::map<std::string, memory::NodeChange> before;
  std::vector<memory::NodeChange> within;
  for (auto& change : *all) {
    if (change.time < period.from) {
      before[change.node] = std::move(change);
    } else {
      within.push_back(std::move(change));
    }
  }
  std::vector<memory::NodeChange> out;
  for (auto& [node, change] : before) out.push_back(std::move(change));
  std::move(within.begin(), within.end(), std::back_inserter(out));
  return out;
}

}  // namespace

const std::vector<std::string>& metrics_read() {
  static const std::vector<std::string> kMetrics = {
      "schedlens_cluster_nodes",       "schedlens_gpus",
      "schedlens_gpus_used",           "schedlens_gpus_out_of_service",
      "schedlens_gpus_stranded",       "schedlens_gpu_fragmentation_ratio",
      "schedlens_gpu_seconds_total",   "schedlens_lost_gpu_seconds_total",
      "schedlens_lost_gpu_runs_total", "schedlens_preemptions_total",
      "schedlens_pending_tasks",       "schedlens_pending_gpus"};
  return kMetrics;
}

Result<Facts> gather(memory::Reader& reader, Period period) {
  Facts facts;
  facts.period = period;
  memory::WorkloadQuery runs;
  runs.time = period.range();
  runs.overlaps = true;
  auto read = reader.each_workload(runs, [&](const memory::EndedWorkload& run) {
    facts.runs.push_back(run);
    return true;
  });
  if (!read) return fail(read.error());
  auto changes = changes_of(reader, period);
  if (!changes) return fail(changes.error());
  facts.node_changes = std::move(*changes);
  auto configs = reader.configs({{memory::kFirstMoment, memory::moment_of(period.to)}, {}});
  if (!configs) return fail(configs.error());
  facts.configs = std::move(*configs);
  auto alerts = reader.alerts({period.range(), {}, {}});
  if (!alerts) return fail(alerts.error());
  facts.alerts = std::move(*alerts);
  for (const auto& metric : metrics_read()) {
    auto series = hourly(reader, metric, period);
    if (!series) return fail(series.error());
    facts.series[metric] = std::move(*series);
  }
  facts.problems = reader.take_problems();
  return facts;
}

std::vector<std::optional<double>> Facts::sum_of(const std::string& metric, std::string_view label,
                                                 std::string_view value) const {
  std::vector<std::optional<double>> sums(hours());
  const auto found = series.find(metric);
  if (found == series.end()) return sums;
  for (const auto& one : found->second) {
    if (!label.empty() && one.key.label(label) != value) continue;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (one.mean[i] && std::isfinite(*one.mean[i])) sums[i] = sums[i].value_or(0) + *one.mean[i];
    }
  }
  return sums;
}

std::map<std::string, double> Facts::increases(const std::string& metric,
                                               std::string_view label) const {
  std::map<std::string, double> rises;
  const auto found = series.find(metric);
  if (found == series.end()) return rises;
  for (const auto& one : found->second) {
    std::optional<double> before;
    double rise = 0;
    for (const auto& last : one.last) {
      if (!last) continue;
      if (before) rise += *last >= *before ? *last - *before : *last;
      before = last;
    }
    rises[std::string(one.key.label(label))] += rise;
  }
  return rises;
}

std::size_t Facts::hours_seen() const {
  const auto nodes = sum_of("schedlens_cluster_nodes");
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.has_value(); }));
}

}  // namespace schedlens::report
