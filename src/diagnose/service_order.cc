// SPDX-License-Identifier: Apache-2.0
#include "diagnose/service_order.h"

#include <algorithm>
#include <utility>

#include "diagnose/queue_priority.h"

namespace schedlens::diagnose {

using model::QueueId;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

ServiceOrder::Key ServiceOrder::key(const Workload& w, std::optional<QueueId> queue) const {
  const auto tier = queue ? snapshot_.queue(*queue).priority_tier : priority_tier(snapshot_, w);
  const auto priority = queue ? priority_in(snapshot_, w, snapshot_.queue(*queue)) : w.priority;
  return {w.reservation.empty(), ~tier, ~priority.value_or(0), w.job_id};
}

std::optional<QueueId> ServiceOrder::planned_before(const Workload& w, QueueId stands_in) const {
  if (w.planned_nodes.empty()) return std::nullopt;
  std::optional<QueueId> first;
  for (auto name : w.queues) {
    const auto id = snapshot_.find_queue(name);
    if (!id || key(w, *id) >= key(w, first.value_or(stands_in))) continue;
    const auto& nodes = snapshot_.queue(*id).nodes;
    const bool here =
        std::all_of(w.planned_nodes.begin(), w.planned_nodes.end(), [&](model::NodeId node) {
          return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
        });
    if (here) first = id;
  }
  return first;
}

ServiceOrder::ServiceOrder(const Snapshot& snapshot, const StandsIn& stands_in)
    : snapshot_(snapshot) {
  std::vector<std::pair<Key, Turn>> turns;
  turns.reserve(snapshot.pending().size());
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    const auto queue = w.queues.size() < 2 ? std::nullopt : stands_in(id);
    turns.emplace_back(key(w, queue), Turn{id});
    if (!queue) continue;
    if (auto first = planned_before(w, *queue)) turns.emplace_back(key(w, *first), Turn{id, true});
  }
  const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(turns.begin(), turns.end(), earlier)) {
    std::stable_sort(turns.begin(), turns.end(), earlier);
  }
  place_.resize(snapshot.workloads.size());
  for (const auto& [key, turn] : turns) {
    if (!turn.plan_only) place_[turn.id.index] = static_cast<std::uint32_t>(turns_.size());
    turns_.push_back(turn);
    keys_.push_back(key);
  }
}

std::size_t ServiceOrder::end_of_turns_before(const Workload& changed,
                                              std::optional<QueueId> queue) const {
  const auto at = std::upper_bound(keys_.begin(), keys_.end(), key(changed, queue));
  return static_cast<std::size_t>(at - keys_.begin());
}

}  // namespace schedlens::diagnose
