// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_hole.h"

#include <algorithm>
#include <limits>

#include "diagnose/pod_end.h"
#include "diagnose/pod_trial.h"
#include "diagnose/pod_victims.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::WorkloadId;
using Pods = std::vector<AssignedPod>;

namespace {

constexpr std::size_t kMostTogether = 3;  // exact up to here
constexpr std::size_t kMostOnANode = 24;  // among which sets are sought

bool may_end(const model::Pod& pod, const model::Pod& waiting) {
  static const Symbol kDaemonSet{"DaemonSet"}, kNode{"Node"};
  if (pod.deleting) return false;
  if (!pod.owner) return true;
  // What takes its place would be the next to wait.
  if (waiting.owner && waiting.owner->uid == pod.owner->uid) return false;
  return pod.owner->kind != kDaemonSet && pod.owner->kind != kNode;
}

class NodeHole {
 public:
  // candidates: the cheapest first.
  NodeHole(const PodCluster& cluster, const PodAnswer& answer, PodTrial trial, Pods candidates)
      : cluster_(cluster),
        answer_(answer),
        trial_(std::move(trial)),
        candidates_(std::move(candidates)) {}

  // No more than so many.
  std::optional<Pods> fewest(std::size_t limit) {
    for (std::size_t size = 1; size <= std::min({kMostTogether, candidates_.size(), limit});
         ++size) {
      if (candidates_.size() > kMostOnANode && size > 1) break;
      if (!could_be_enough(size)) continue;
      Pods chosen;
      if (choose(0, size, chosen)) return chosen;
    }
    if (limit <= kMostTogether && candidates_.size() <= kMostOnANode) return std::nullopt;
    if (candidates_.empty() || !could_be_enough(std::min(limit, candidates_.size()))) {
      return std::nullopt;
    }
    auto found = largest_first();
    if (!found || found->size() > limit) return std::nullopt;
    return found;
  }

 private:
  // The largest so many of them have all that is short.
  bool could_be_enough(std::size_t size) const {
    for (std::size_t r = 0; r < answer_.asks.size(); ++r) {
      if (trial_.lacks()[r] <= 0) continue;
      std::vector<std::int64_t> amounts;
      for (const auto& p : candidates_) amounts.push_back(held(p, r));
      std::sort(amounts.rbegin(), amounts.rend());
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += amounts[i];
      if (sum < trial_.lacks()[r]) return false;
    }
    return true;
  }

  std::int64_t held(const AssignedPod& p, std::size_t ask) const {
    return cluster_.pod(p).request.get(answer_.asks[ask].name);
  }

  bool choose(std::size_t place, std::size_t size, Pods& chosen) {
    if (size == 0) return trial_.passes();
    for (auto i = place; i + size <= candidates_.size(); ++i) {
      trial_.leave(candidates_[i]);
      chosen.push_back(candidates_[i]);
      const bool found = choose(i + 1, size - 1, chosen);
      trial_.come_back(candidates_[i]);
      if (found) return true;
      chosen.pop_back();
    }
    return false;
  }

  // Of what is short, in shares of it.
  double share(const AssignedPod& p) const {
    double sum = 0;
    for (std::size_t r = 0; r < answer_.asks.size(); ++r) {
      const auto lacks = trial_.lacks()[r];
      if (lacks <= 0) continue;
      sum += std::min(1.0, static_cast<double>(held(p, r)) / static_cast<double>(lacks));
    }
    return sum;
  }

  std::optional<Pods> largest_first() {
    auto trial = trial_;
    auto left = candidates_;
    std::stable_sort(left.begin(), left.end(), [this](const AssignedPod& a, const AssignedPod& b) {
      return share(a) > share(b);
    });
    Pods chosen;
    for (const auto& p : left) {
      trial.leave(p);
      chosen.push_back(p);
      if (!trial.passes()) continue;
      // The last one may have done what those before it were taken for.
      std::erase_if(chosen, [&](const AssignedPod& c) {
        trial.come_back(c);
        if (trial.passes()) return true;
        trial.leave(c);
        return false;
      });
      return chosen;
    }
    return std::nullopt;
  }

  const PodCluster& cluster_;
  const PodAnswer& answer_;
  PodTrial trial_;
  Pods candidates_;
};

}  // namespace

std::optional<PodHole> pod_hole(const PodCluster& cluster, WorkloadId id, const PodAnswer& answer) {
  const auto& waiting = *cluster.snapshot().workload(id).pod;
  const PodVictims weighed(cluster);
  std::optional<NodeId> node;
  Pods best;
  VictimCost least;
  least.count = std::numeric_limits<std::size_t>::max();
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    if (!PodTrial::open(answer, {i})) continue;
    Pods candidates;
    for (const auto& p : cluster.assigned_on({i})) {
      if (may_end(cluster.pod(p), waiting)) candidates.push_back(p);
    }
    weighed.sort(candidates);
    std::reverse(candidates.begin(), candidates.end());
    auto found = NodeHole(cluster, answer, PodTrial(cluster, id, answer, {i}), candidates)
                     .fewest(least.count);
    if (!found) continue;
    const auto cost = weighed.cost(*found);
    if (node && cost.by_number() >= least.by_number()) continue;
    node = NodeId{i};
    best = std::move(*found);
    least = cost;
  }
  if (!node) return std::nullopt;
  PodHole hole;
  hole.node = *node;
  for (const auto& p : best) hole.ends.push_back(p.id);
  hole.by_itself = PodEnds(cluster.snapshot()).of(hole.ends);
  return hole;
}

}  // namespace schedlens::diagnose
