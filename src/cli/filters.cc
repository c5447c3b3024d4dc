// SPDX-License-Identifier: Apache-2.0
#include "cli/filters.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace schedlens::cli {
namespace {

using Words = std::vector<std::string>;

bool names(const Words& wanted, Symbol name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name.view()) != wanted.end();
}

bool names_any(const Words& wanted, const std::vector<Symbol>& all) {
  return wanted.empty() ||
         std::any_of(all.begin(), all.end(), [&](Symbol name) { return names(wanted, name); });
}

// A word of "MIXED+DRAIN" is among those wanted.
bool has_state(const Words& wanted, std::string_view state) {
  if (wanted.empty()) return true;
  for (auto word : split(state, '+')) {
    for (const auto& w : wanted) {
      if (equal_ignoring_case(word, w)) return true;
    }
  }
  return false;
}

bool has_reason(const Words& wanted, const model::Workload& w) {
  if (wanted.empty()) return true;
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& begin) {
    return starts_with_ignoring_case(w.reason.view(), begin) ||
           starts_with_ignoring_case(w.reason_text, begin);
  });
}

bool in_phase(Phase phase, bool any_state, const model::Workload& w) {
  switch (phase) {
    case Phase::kWaiting:
      return model::is_pending(w);
    case Phase::kRunning:
      return model::holds_resources(w);
    case Phase::kWaitingOrRunning:
      // Who asks for finished jobs by their state means them.
      return any_state || model::is_pending(w) || model::holds_resources(w);
    case Phase::kAll:
      return true;
  }
  return true;
}

Result<std::vector<diagnose::RootCause>> parse_causes(const Words& words) {
  std::vector<diagnose::RootCause> wanted;
  std::vector<std::string> known;
  for (unsigned i = 0; i < static_cast<unsigned>(diagnose::RootCause::kCount); ++i) {
    known.emplace_back(diagnose::cause_name(static_cast<diagnose::RootCause>(i)));
  }
  for (const auto& word : words) {
    auto it = std::find(known.begin(), known.end(), word);
    if (it != known.end()) {
      wanted.push_back(static_cast<diagnose::RootCause>(it - known.begin()));
      continue;
    }
    if (auto near = nearest(word, known)) {
      return fail("no root cause class is called {}, did you mean {}?", word, *near);
    }
    return fail("no root cause class is called {}; there are {}", word, fmt::join(known, ", "));
  }
  return wanted;
}

bool matches(const QueueFilter& filter, const std::vector<diagnose::RootCause>& causes,
             diagnose::RootCause cause, const model::Workload& w) {
  return in_phase(filter.phase, !filter.states.empty(), w) && names(filter.users, w.user) &&
         names(filter.accounts, w.account) && names_any(filter.queues, w.queues) &&
         names(filter.qos, w.qos) && has_state(filter.states, model::full_state(w)) &&
         has_reason(filter.reasons, w) &&
         (causes.empty() || std::find(causes.begin(), causes.end(), cause) != causes.end()) &&
         (!filter.gpus_min || model::gpus_requested(w) >= *filter.gpus_min);
}

}  // namespace

Result<std::vector<model::WorkloadId>> select_workloads(const model::Snapshot& snapshot,
                                                        const api::Causes& causes,
                                                        const QueueFilter& filter) {
  auto wanted = parse_causes(filter.causes);
  if (!wanted) return fail(wanted.error());
  std::vector<model::WorkloadId> found, running, rest;
  for (auto id : snapshot.pending()) {
    if (matches(filter, *wanted, causes[id.index], snapshot.workload(id))) found.push_back(id);
  }
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& w = snapshot.workloads[i];
    if (model::is_pending(w) || !matches(filter, *wanted, causes[i], w)) continue;
    (model::holds_resources(w) ? running : rest).push_back({i});
  }
  auto order = [&](model::WorkloadId id) {
    const auto& w = snapshot.workload(id);
    return std::tuple(~model::gpus_held(w), w.start.value_or(Timestamp{}), w.job_id);
  };
  std::sort(running.begin(), running.end(), [&](auto a, auto b) { return order(a) < order(b); });
  std::sort(rest.begin(), rest.end(), [&](auto a, auto b) {
    return snapshot.workload(a).job_id < snapshot.workload(b).job_id;
  });
  found.insert(found.end(), running.begin(), running.end());
  found.insert(found.end(), rest.begin(), rest.end());
  return found;
}

std::vector<model::NodeId> select_nodes(const model::Snapshot& snapshot, const NodeFilter& filter) {
  std::vector<model::NodeId> found;
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    const auto& node = snapshot.nodes[i];
    bool in_service = model::in_service(node);
    if (filter.out_of_service && in_service) continue;
    if (!has_state(filter.states, model::display_state(node) + "+" + model::full_state(node))) {
      continue;
    }
    if (!names_any(filter.queues, node.queues) || !names_any(filter.features, node.features)) {
      continue;
    }
    std::vector<Symbol> types;
    for (const auto& pool : node.gres) {
      if (pool.name == model::names::kGpu) types.push_back(pool.type);
    }
    if (!names_any(filter.gpu_types, types)) continue;
    if (filter.free_gpus) {
      auto used = model::gpus_used(node);
      if (!in_service || !used || model::gpus_total(node) < *used + *filter.free_gpus) continue;
    }
    found.push_back({i});
  }
  return found;
}

}  // namespace schedlens::cli
