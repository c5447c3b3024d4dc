// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_victims.h"

#include <algorithm>
#include <limits>

#include "model/pod.h"

namespace schedlens::diagnose {

PodVictims::PodVictims(const PodCluster& cluster) : cluster_(cluster) {
  const auto& budgets = cluster.kubernetes().disruption_budgets;
  if (!budgets) return;
  for (const auto& budget : *budgets) {
    // The scheduler takes one whose selector asks for nothing to mean nobody.
    if (budget.pods && !budget.pods->all.empty()) budgets_[budget.ns].push_back(&budget);
  }
}

std::int64_t PodVictims::started(const AssignedPod& p) const {
  return cluster_.snapshot().workload(p.id).start.value_or(cluster_.snapshot().time).unix_seconds;
}

void PodVictims::sort(std::vector<AssignedPod>& pods) const {
  std::stable_sort(pods.begin(), pods.end(), [this](const AssignedPod& a, const AssignedPod& b) {
    const auto x = cluster_.pod(a).priority.value_or(0);
    const auto y = cluster_.pod(b).priority.value_or(0);
    return x != y ? x > y : started(a) < started(b);
  });
}

std::vector<bool> PodVictims::beyond_budget(const std::vector<AssignedPod>& pods) const {
  std::vector<bool> beyond(pods.size());
  if (budgets_.empty()) return beyond;
  std::unordered_map<const model::DisruptionBudget*, std::int32_t> taken;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto& pod = cluster_.pod(pods[i]);
    const auto here = budgets_.find(pod.ns);
    if (here == budgets_.end() || pod.labels.empty()) continue;
    for (const auto* budget : here->second) {
      if (!budget->pods->selects(pod.labels)) continue;
      if (++taken[budget] > budget->disruptions_allowed) beyond[i] = true;
    }
  }
  return beyond;
}

VictimCost PodVictims::cost(const std::vector<AssignedPod>& victims) const {
  VictimCost cost;
  cost.count = victims.size();
  cost.highest = std::numeric_limits<std::int32_t>::min();
  constexpr auto kOffset = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& v : victims) {
    const auto priority = cluster_.pod(v).priority.value_or(0);
    cost.sum += priority + kOffset;
    if (priority < cost.highest) continue;
    if (priority > cost.highest) first = std::numeric_limits<std::int64_t>::max();
    cost.highest = priority;
    first = std::min(first, started(v));
  }
  cost.running_since = -first;
  auto in_order = victims;
  sort(in_order);
  const auto beyond = beyond_budget(in_order);
  cost.budgets_broken = static_cast<std::size_t>(std::count(beyond.begin(), beyond.end(), true));
  return cost;
}

}  // namespace schedlens::diagnose
