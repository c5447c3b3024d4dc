// SPDX-License-Identifier: Apache-2.0
#include "model/snapshot.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "model/pod.h"

namespace schedlens::model {
namespace {

std::uint64_t association_key(Symbol account, Symbol user) {
  return std::uint64_t{account.id()} << 32 | user.id();
}

// "1-40,50:2" (as waiting array tasks are written) contains the task.
bool task_waits(std::string_view tasks, std::uint32_t task) {
  for (auto part : split(tasks, ',')) {
    std::uint32_t step = 1;
    if (auto stepped = cut(part, ':')) {
      step = std::max(1u, parse_number<std::uint32_t>(stepped->second).value_or(1));
      part = stepped->first;
    }
    auto range = cut(part, '-');
    auto first = parse_number<std::uint32_t>(range ? range->first : part);
    auto last = range ? parse_number<std::uint32_t>(range->second) : first;
    if (first && last && task >= *first && task <= *last && (task - *first) % step == 0)
      return true;
  }
  return false;
}

// Larger goes first. A pod's may be negative; Slurm's fit into 32 bits.
std::int64_t queue_priority(const Workload& w) {
  if (w.pod) return w.pod->priority.value_or(0);
  return static_cast<std::int64_t>(w.priority.value_or(0));
}

bool is_named_pod(const Workload& w, std::string_view id) {
  if (!w.pod) return false;
  const auto parts = cut(id, '/');
  if (!parts) return w.name == id;
  return w.name == parts->second && w.pod->ns.view() == parts->first;
}

bool is_named(const Workload& w, std::string_view id) {
  if (display_id(w) == id) return true;
  if (!w.array || w.array->task_id) return false;
  auto parts = cut(id, '_');
  auto task = parts ? parse_number<std::uint32_t>(parts->second) : std::nullopt;
  return task && task_waits(w.array->waiting_tasks, *task);
}

}  // namespace

std::uint32_t priority_tier(const Snapshot& snapshot, const Workload& w) {
  std::uint32_t tier = 0;
  for (Symbol name : w.queues) {
    if (auto id = snapshot.find_queue(name)) {
      tier = std::max(tier, snapshot.queue(*id).priority_tier);
    }
  }
  return tier;
}

void Snapshot::build_index() {
  node_by_name_.clear();
  queue_by_name_.clear();
  qos_by_name_.clear();
  association_by_id_.clear();
  association_by_name_.clear();
  workload_by_id_.clear();
  queue_associations_ = false;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) node_by_name_.emplace(nodes[i].name, NodeId{i});
  for (std::uint32_t i = 0; i < queues.size(); ++i) {
    queue_by_name_.emplace(queues[i].name, QueueId{i});
  }
  for (std::uint32_t i = 0; i < qos.size(); ++i) qos_by_name_.emplace(qos[i].name, i);
  for (std::uint32_t i = 0; i < associations.size(); ++i) {
    const auto& a = associations[i];
    association_by_id_.emplace(a.id, i);
    queue_associations_ |= !a.queue.empty();
    if (a.queue.empty()) association_by_name_.emplace(association_key(a.account, a.user), i);
  }

  node_first_.assign(nodes.size() + 1, 0);
  pending_.clear();
  const auto& all = std::as_const(workloads);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto& w = all[i];
    if (!w.pod) workload_by_id_.emplace(w.job_id, WorkloadId{i});
    if (w.array && w.array->job_id != w.job_id) {
      workload_by_id_.emplace(w.array->job_id, WorkloadId{i});
    }
    if (w.het && w.het->job_id != w.job_id) workload_by_id_.emplace(w.het->job_id, WorkloadId{i});
    if (is_pending(w)) pending_.push_back({i});
    if (!holds_resources(w)) continue;
    for (auto n : w.allocation.nodes) ++node_first_[n.index + 1];
  }
  for (std::size_t i = 1; i < node_first_.size(); ++i) node_first_[i] += node_first_[i - 1];
  node_workloads_.resize(node_first_.back());
  auto next = node_first_;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!holds_resources(all[i])) continue;
    for (auto n : all[i].allocation.nodes) node_workloads_[next[n.index]++] = {i};
  }

  auto key = [&](WorkloadId id) {
    const auto& w = workload(id);
    return std::tuple(w.reservation.empty(), ~priority_tier(*this, w), -queue_priority(w), w.job_id,
                      w.pod ? w.submitted.value_or(Timestamp{}) : Timestamp{});
  };
  using Key = decltype(key({}));
  std::vector<std::pair<Key, WorkloadId>> order;
  order.reserve(pending_.size());
  for (auto id : pending_) order.emplace_back(key(id), id);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) pending_[i] = order[i].second;
}

std::optional<NodeId> Snapshot::find_node(Symbol name) const {
  auto it = node_by_name_.find(name);
  return it == node_by_name_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<QueueId> Snapshot::find_queue(Symbol name) const {
  auto it = queue_by_name_.find(name);
  return it == queue_by_name_.end() ? std::nullopt : std::optional(it->second);
}

const Qos* Snapshot::find_qos(Symbol name) const {
  auto it = qos_by_name_.find(name);
  return it == qos_by_name_.end() ? nullptr : &qos[it->second];
}

const Association* Snapshot::find_association(Symbol account, Symbol user, Symbol queue) const {
  if (queue_associations_ && !queue.empty()) {
    for (const auto& a : associations) {
      if (a.account == account && a.user == user && a.queue == queue) return &a;
    }
  }
  auto it = association_by_name_.find(association_key(account, user));
  return it == association_by_name_.end() ? nullptr : &associations[it->second];
}

const Association* Snapshot::find_association(std::uint32_t id) const {
  auto it = association_by_id_.find(id);
  return it == association_by_id_.end() ? nullptr : &associations[it->second];
}

const Reservation* Snapshot::find_reservation(Symbol name) const {
  for (const auto& r : reservations) {
    if (r.name == name) return &r;
  }
  return nullptr;
}

const SourceStatus* Snapshot::find_source(std::string_view name) const {
  for (const auto& s : sources) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

std::vector<WorkloadId> Snapshot::find_workloads(std::string_view id) const {
  std::vector<WorkloadId> found;
  if (kubernetes) {
    for (std::uint32_t i = 0; i < workloads.size(); ++i) {
      if (is_named_pod(workloads[i], id)) found.push_back({i});
    }
    return found;
  }
  auto number = parse_number<std::uint32_t>(id.substr(0, id.find_first_of("_+")));
  if (!number) return found;
  bool whole = id.find_first_of("_+") == std::string_view::npos;
  auto [first, last] = workload_by_id_.equal_range(*number);
  for (auto it = first; it != last; ++it) {
    if (whole || is_named(workload(it->second), id)) found.push_back(it->second);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::span<const WorkloadId> Snapshot::workloads_on(NodeId id) const {
  return std::span(node_workloads_)
      .subspan(node_first_[id.index], node_first_[id.index + 1] - node_first_[id.index]);
}

}  // namespace schedlens::model
