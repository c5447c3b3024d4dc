// SPDX-License-Identifier: Apache-2.0
#include "history/config_versions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace schedlens::history {

using memory::ConfigVersion;
using model::Snapshot;

namespace {

// Counters and moments among the settings.
constexpr std::array<std::string_view, 4> kPassing{"BOOT_TIME", "NEXT_JOB_ID", "SlurmctldPid",
                                                   "SlurmctldDebugTime"};

std::string settings(const Snapshot& s) {
  std::string text;
  for (const auto& [key, value] : s.config->entries) {
    if (std::find(kPassing.begin(), kPassing.end(), key) != kPassing.end()) continue;
    text += fmt::format("{}={}\n", key, value);
  }
  return text;
}

template <class T>
std::string bound(const Bound<T>& b) {
  if (!b.has_value()) return b.known() ? "UNLIMITED" : "?";
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return std::to_string(b.value);
  } else {
    return std::to_string(b.value.value);
  }
}

std::string allowed(const model::Allowed& a, const std::vector<Symbol>& denied) {
  std::vector<std::string_view> names;
  for (auto name : a.names) names.push_back(name.view());
  auto text = a.all ? std::string("ALL") : fmt::format("{}", fmt::join(names, ","));
  for (auto name : denied) text += fmt::format(",!{}", name.view());
  return text;
}

// One setting on a line, so that a change shows what changed: "train: MaxNodes=2".
template <class Value>
void put(std::string& text, Symbol name, std::string_view setting, const Value& value) {
  text += fmt::format("{}: {}={}\n", name.view(), setting, value);
}

std::string partitions(const Snapshot& s) {
  std::string text;
  for (const auto& q : s.queues) {
    std::set<std::string_view> nodes;
    for (auto node : q.nodes) nodes.insert(s.node(node).name.view());
    put(text, q.name, "State", model::state_name(q.state));
    put(text, q.name, "PriorityTier", q.priority_tier);
    put(text, q.name, "PriorityJobFactor", q.priority_job_factor);
    put(text, q.name, "MinNodes", q.min_nodes);
    put(text, q.name, "MaxNodes", bound(q.max_nodes));
    put(text, q.name, "MaxTimeSeconds", bound(q.max_time));
    put(text, q.name, "MaxCPUsPerNode", bound(q.max_cpus_per_node));
    put(text, q.name, "MaxMemPerNodeBytes", bound(q.max_memory_per_node));
    put(text, q.name, "QoS", q.qos.view());
    put(text, q.name, "AllowAccounts", allowed(q.allow_accounts, q.deny_accounts));
    put(text, q.name, "AllowQos", allowed(q.allow_qos, q.deny_qos));
    put(text, q.name, "Exclusive", q.exclusive);
    put(text, q.name, "Nodes", fmt::format("{}", fmt::join(nodes, ",")));
  }
  return text;
}

void put_limits(std::string& text, Symbol name, std::string_view of,
                const std::vector<model::Limit>& limits) {
  for (const auto& l : limits) {
    if (!l.limit) continue;
    put(text, name,
        fmt::format("{}{}{}{}", of, model::limit_name(l.kind), l.resource.empty() ? "" : ":",
                    l.resource.view()),
        *l.limit);
  }
}

std::string qos(const Snapshot& s) {
  std::string text;
  for (const auto& q : s.qos) {
    put(text, q.name, "Priority", q.priority);
    if (q.preempts) {
      std::vector<std::string_view> names;
      for (auto name : *q.preempts) names.push_back(name.view());
      put(text, q.name, "Preempt", fmt::format("{}", fmt::join(names, ",")));
    }
    put_limits(text, q.name, "", q.limits);
    put_limits(text, q.name, "each user ", q.each_user);
    put_limits(text, q.name, "each account ", q.each_account);
  }
  return text;
}

// FNV-1a: to tell versions apart, not to keep anybody out.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

bool is_read(const Snapshot& s, std::string_view feeds) {
  return std::any_of(s.sources.begin(), s.sources.end(), [&](const model::SourceStatus& source) {
    return source.feeds == feeds && source.state == model::SourceState::kFresh;
  });
}

}  // namespace

ConfigVersions::ConfigVersions(const std::vector<ConfigVersion>& last) {
  for (const auto& version : last) hashes_[version.source] = version.hash;
}

void ConfigVersions::add(const std::string& source, std::string text, Timestamp time,
                         std::vector<ConfigVersion>& out) {
  auto hash = hash_of(text);
  auto& known = hashes_[source];
  if (known == hash) return;
  known = hash;
  out.push_back({time, source, std::move(hash), std::move(text)});
}

std::vector<ConfigVersion> ConfigVersions::feed(const Snapshot& s) {
  std::vector<ConfigVersion> out;
  if (s.kubernetes) return out;
  if (s.config && !s.config->entries.empty()) add("slurm.conf", settings(s), s.time, out);
  if (is_read(s, "queues") && is_read(s, "nodes")) add("partitions", partitions(s), s.time, out);
  if (is_read(s, "associations") && !s.qos.empty()) add("qos", qos(s), s.time, out);
  return out;
}

}  // namespace schedlens::history
