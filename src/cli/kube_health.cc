// SPDX-License-Identifier: Apache-2.0
#include "cli/kube_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/fold_names.h"
#include "cli/layout.h"
#include "cli/words.h"
#include "diagnose/permit_waits.h"
#include "model/kubernetes.h"

namespace schedlens::cli {
namespace {

using model::Durations;
using model::KubeScheduler;

constexpr std::size_t kLabel = 14;

std::string line(const Style& style, std::string_view label, std::string_view text,
                 Tone tone = Tone::kPlain) {
  return labelled(style, fmt::format("  {}", label), kLabel, text, tone);
}

std::string mean_time(const Durations& d) {
  if (d.count <= 0) return std::string(kUnknown);
  return cycle_time(static_cast<std::uint64_t>(std::llround(1e6 * d.seconds / d.count)));
}

bool feeds(const model::SourceStatus& source, std::string_view list) {
  return source.feeds == list;
}

std::string api_server(const model::Snapshot& s, const Style& style) {
  const model::SourceStatus* newest = nullptr;
  const model::SourceStatus* troubled = nullptr;
  for (const auto& source : s.sources) {
    const bool essential = feeds(source, "nodes") || feeds(source, "workloads");
    if (essential && source.state != model::SourceState::kFresh && !troubled) troubled = &source;
    if (!source.last_success) continue;
    if (!newest || *source.last_success > *newest->last_success) newest = &source;
  }
  if (!newest) {
    const auto why = troubled ? printable(troubled->error) : std::string("nothing was read");
    return line(style, "API server", "does not answer: " + why, Tone::kBad);
  }
  auto text = fmt::format("answered {}", relative(newest->last_success, s.time));
  if (!troubled) return line(style, "API server", text);
  text += fmt::format("; {} {}", printable(troubled->name), model::state_name(troubled->state));
  if (!troubled->error.empty()) text += ": " + printable(troubled->error);
  return line(style, "API server", text, Tone::kBad);
}

std::string queues(const KubeScheduler& k) {
  std::vector<std::string> parts;
  for (const auto& q : k.queues) {
    parts.push_back(fmt::format("{} {:.0f}{}", q.queue.view(), q.pods,
                                q.negative ? " (its gauge is below zero)" : ""));
  }
  return parts.empty() ? "" : fmt::format("; queues: {}", fmt::join(parts, ", "));
}

std::string scheduler_line(const model::Snapshot& s, const KubeScheduler& k, const Style& style) {
  std::string text = printable(k.address);
  if (!k.version.empty()) text += " " + printable(k.version);
  if (k.leader) text += *k.leader ? ", leader" : ", standby";
  if (k.started) text += fmt::format(", started {}", relative(k.started, s.time));
  return line(style, "scheduler", text + queues(k));
}

std::string attempts_line(const KubeScheduler& k, const Style& style) {
  std::map<std::string_view, std::pair<double, Durations>> by_result;
  for (const auto& a : k.attempts) {
    auto& [count, durations] = by_result[a.result.view()];
    count += a.count;
    if (!a.durations) continue;
    durations.count += a.durations->count;
    durations.seconds += a.durations->seconds;
  }
  std::vector<std::string> parts;
  for (const auto& [result, sums] : by_result) {
    parts.push_back(fmt::format("{} {:.0f} (mean {})", result, sums.first, mean_time(sums.second)));
  }
  if (parts.empty()) return "";
  const bool errors = by_result.contains("error") && by_result["error"].first > 0;
  return line(style, "attempts", fmt::format("{}", fmt::join(parts, ", ")),
              errors ? Tone::kWarn : Tone::kPlain);
}

std::string preemption_line(const KubeScheduler& k, const Style& style) {
  if (!k.preemptions) return "";
  return line(
      style, "preemption",
      fmt::format("{:.0f} took place with {:.0f} victims; tried {:.0f} times", *k.preemptions,
                  k.preemption_victims.value_or(0), k.preemption_attempts.value_or(0)));
}

// The extension points that took most of the time.
std::string slowest_line(const KubeScheduler& k, const Style& style) {
  std::map<std::string_view, Durations> points;
  double failures = 0;
  for (const auto& p : k.extension_points) {
    auto& sum = points[p.name.view()];
    sum.count += p.durations.count;
    sum.seconds += p.durations.seconds;
    if (p.status.view() == "Error") failures += p.durations.count;
  }
  std::vector<std::pair<std::string_view, Durations>> order(points.begin(), points.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.seconds > b.second.seconds;
  });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i) {
    parts.push_back(fmt::format("{} {}", order[i].first, mean_time(order[i].second)));
  }
  if (parts.empty()) return "";
  auto text = fmt::format("{} on average", fmt::join(parts, ", "));
  if (failures > 0) text += fmt::format("; {:.0f} ended in an error", failures);
  return line(style, "slowest", text, failures > 0 ? Tone::kWarn : Tone::kPlain);
}

double requests_with(const model::ApiServerVitals& v, std::string_view codes) {
  double sum = 0;
  for (const auto& r : v.requests) {
    if (r.code.view().starts_with(codes)) sum += r.count;
  }
  return sum;
}

// All of it since the server started.
std::string requests_line(const model::ApiServerVitals& v, const Style& style) {
  Durations all, storage;
  for (const auto& l : v.latencies) {
    all.count += l.histogram.total.count;
    all.seconds += l.histogram.total.seconds;
  }
  for (const auto& s : v.storage) {
    storage.count += s.durations.count;
    storage.seconds += s.durations.seconds;
  }
  double total = 0;
  for (const auto& r : v.requests) total += r.count;
  const auto failed = requests_with(v, "5"), turned_away = requests_with(v, "429");
  auto text = fmt::format("{:.0f} (mean {}), {:.0f} failed (5xx), {:.0f} turned away (429)", total,
                          mean_time(all), failed, turned_away);
  if (v.watches) text += fmt::format("; {:.0f} watches", *v.watches);
  if (storage.count > 0) text += fmt::format("; its etcd answers in {}", mean_time(storage));
  return line(style, "requests", text);
}

std::string etcd_line(const model::EtcdVitals& v, const Style& style) {
  std::vector<std::string> parts;
  if (v.is_leader && *v.is_leader) parts.emplace_back("leader");
  if (v.has_leader && !*v.has_leader) parts.emplace_back("knows of no leader");
  if (v.fsync) parts.push_back(fmt::format("fsync {} on average", mean_time(v.fsync->total)));
  if (v.database_bytes) {
    auto size = short_bytes(Bytes{static_cast<std::int64_t>(*v.database_bytes)});
    if (v.quota_bytes && *v.quota_bytes > 0) {
      size += fmt::format(" of {}", short_bytes(Bytes{static_cast<std::int64_t>(*v.quota_bytes)}));
    }
    parts.push_back("database " + size);
  }
  if (v.leader_changes) parts.push_back(fmt::format("{:.0f} changes of leader", *v.leader_changes));
  if (v.proposals_failed && *v.proposals_failed > 0) {
    parts.push_back(fmt::format("{:.0f} writes failed", *v.proposals_failed));
  }
  constexpr double kNearlyFull = 0.8;
  const bool full = v.database_bytes && v.quota_bytes && *v.quota_bytes > 0 &&
                    *v.database_bytes > kNearlyFull * *v.quota_bytes;
  const bool lost = v.has_leader && !*v.has_leader;
  return line(
      style, "etcd",
      fmt::format("{} {}: {}", printable(v.address), printable(v.version), fmt::join(parts, ", ")),
      lost ? Tone::kBad : (full ? Tone::kWarn : Tone::kPlain));
}

// The kubelet itself calls its node NotReady after so long without a look at all containers.
constexpr Seconds kRelistOverdue{180};

std::string kubelets_line(const model::Snapshot& s, const Style& style) {
  const auto& kubelets = s.kubernetes->kubelets;
  if (kubelets.empty()) return "";
  std::vector<std::string_view> stuck;
  Durations relist, starts;
  double errors = 0;
  for (const auto& v : kubelets) {
    if (v.relist) {
      relist.count += v.relist->total.count;
      relist.seconds += v.relist->total.seconds;
    }
    if (v.pod_start) {
      starts.count += v.pod_start->total.count;
      starts.seconds += v.pod_start->total.seconds;
    }
    for (const auto& e : v.runtime_errors) errors += e.count;
    if (v.last_relist && v.time && *v.time - *v.last_relist > kRelistOverdue) {
      stuck.push_back(v.node.view());
    }
  }
  auto text = fmt::format("{} answered; relist {}, pod start {} on average; {:.0f} runtime errors",
                          kubelets.size(), mean_time(relist), mean_time(starts), errors);
  if (!stuck.empty()) text += fmt::format("; stuck: {}", fold_names(stuck));
  return line(style, "kubelets", text, stuck.empty() ? Tone::kPlain : Tone::kBad);
}

std::string permit_line(const model::Snapshot& s, const Style& style) {
  const auto waits = diagnose::permit_waits(s);
  if (!waits || waits->empty()) return "";
  Seconds oldest{0};
  for (const auto& wait : *waits) oldest = std::max(oldest, wait.waiting);
  return line(style, "at Permit",
              fmt::format("{} placed and not bound yet, the longest for {}",
                          counted(waits->size(), "pod"), short_duration(oldest)));
}

}  // namespace

std::string render_kube_health(const model::Snapshot& s, bool short_form, const Style& style) {
  auto out = api_server(s, style);
  if (!short_form) {
    for (const auto& v : s.kubernetes->api_servers) out += requests_line(v, style);
    for (const auto& v : s.kubernetes->etcd) out += etcd_line(v, style);
    out += kubelets_line(s, style) + permit_line(s, style);
  }
  if (s.kubernetes->schedulers.empty()) {
    return out + line(style, "scheduler",
                      "its own metrics are not read: name its address (--kube-scheduler URL)",
                      Tone::kDim);
  }
  for (const auto& k : s.kubernetes->schedulers) {
    out += scheduler_line(s, k, style);
    if (short_form) continue;
    out += attempts_line(k, style) + preemption_line(k, style) + slowest_line(k, style);
  }
  return out;
}

}  // namespace schedlens::cli
