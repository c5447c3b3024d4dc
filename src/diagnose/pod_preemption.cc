// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_preemption.h"

#include <algorithm>

#include "diagnose/pod_trial.h"
#include "diagnose/pod_victims.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::WorkloadId;

namespace {

struct Candidate {
  NodeId node;
  std::vector<AssignedPod> victims;
  VictimCost cost;
};

// Empty where the node would have no room even without all of them.
std::vector<AssignedPod> victims_on(PodTrial trial, const PodVictims& weighed,
                                    std::vector<AssignedPod> lesser, std::size_t& broken) {
  for (const auto& p : lesser) trial.leave(p);
  if (!trial.passes()) return {};
  weighed.sort(lesser);
  const auto beyond = weighed.beyond_budget(lesser);
  std::vector<AssignedPod> victims;
  for (const bool first : {true, false}) {
    for (std::size_t i = 0; i < lesser.size(); ++i) {
      if (beyond[i] != first) continue;
      trial.come_back(lesser[i]);
      if (trial.passes()) continue;
      trial.leave(lesser[i]);
      victims.push_back(lesser[i]);
      broken += first ? 1 : 0;
    }
  }
  weighed.sort(victims);
  return victims;
}

std::optional<Seconds> longest_grace(const PodCluster& cluster,
                                     const std::vector<AssignedPod>& victims) {
  std::optional<Seconds> longest;
  for (const auto& v : victims) {
    const auto& grace = cluster.pod(v).spec->grace;
    if (!grace) return std::nullopt;
    longest = std::max(longest.value_or(Seconds{0}), *grace);
  }
  return longest;
}

}  // namespace

std::optional<PodPreemption> pod_preemption(const PodCluster& cluster, WorkloadId id,
                                            const PodAnswer& answer) {
  const auto& pod = *cluster.snapshot().workload(id).pod;
  const auto priority = pod.priority.value_or(0);
  const PodVictims weighed(cluster);
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    const NodeId node{i};
    if (!PodTrial::open(answer, node)) continue;
    std::vector<AssignedPod> lesser;
    for (const auto& p : cluster.assigned_on(node)) {
      if (cluster.pod(p).priority.value_or(0) < priority) lesser.push_back(p);
    }
    if (lesser.empty()) continue;
    std::size_t broken = 0;
    auto victims =
        victims_on(PodTrial(cluster, id, answer, node), weighed, std::move(lesser), broken);
    if (victims.empty()) continue;
    auto cost = weighed.cost(victims);
    cost.budgets_broken = broken;
    candidates.push_back({node, std::move(victims), cost});
  }
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [](const Candidate& a, const Candidate& b) {
                                       return a.cost.as_scheduler() < b.cost.as_scheduler();
                                     });
  if (best == candidates.end()) return std::nullopt;
  PodPreemption result;
  result.may = !pod.spec->never_preempts;
  result.node = best->node;
  for (const auto& v : best->victims) result.victims.push_back(v.id);
  result.budgets_broken = best->cost.budgets_broken;
  result.grace = longest_grace(cluster, best->victims);
  result.nodes = candidates.size();
  result.alike = static_cast<std::size_t>(std::count_if(
      candidates.begin(), candidates.end(),
      [&](const Candidate& c) { return c.cost.as_scheduler() == best->cost.as_scheduler(); }));
  return result;
}

}  // namespace schedlens::diagnose
