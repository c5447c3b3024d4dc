// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the end of running pods would cost, as kube-scheduler weighs it when it preempts
// (pkg/scheduler/framework/preemption): disruption budgets, priorities, number, time of start. That
// is status.startTime there and the moment of binding here, which differ by a second or so.

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "diagnose/pod_cluster.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

struct VictimCost {
  std::size_t budgets_broken = 0;
  std::int32_t highest = 0;  // of their priorities
  std::int64_t sum = 0;      // likewise, each counted from the lowest number there is
  std::size_t count = 0;
  std::int64_t running_since = 0;  // of the first of the highest, negated: what began late is cheap

  // In the order in which the scheduler looks: the lesser is taken.
  auto as_scheduler() const {
    return std::tuple(budgets_broken, highest, sum, count, running_since);
  }
  // For whoever ends them by hand, as few as help.
  auto by_number() const { return std::tuple(count, budgets_broken, highest, sum, running_since); }
};

class PodVictims {
 public:
  explicit PodVictims(const PodCluster& cluster);

  // Higher priority first, then those that run longer.
  void sort(std::vector<AssignedPod>& pods) const;
  // Of pods in that order, those whose disruption budget has nothing to spare if all of them end.
  std::vector<bool> beyond_budget(const std::vector<AssignedPod>& pods) const;
  VictimCost cost(const std::vector<AssignedPod>& victims) const;

 private:
  std::int64_t started(const AssignedPod& p) const;

  const PodCluster& cluster_;
  std::unordered_map<Symbol, std::vector<const model::DisruptionBudget*>> budgets_;
};

}  // namespace schedlens::diagnose
