// SPDX-License-Identifier: Apache-2.0
#include "diagnose/what_if.h"

#include <algorithm>

#include "diagnose/account_limits.h"
#include "diagnose/limit_use.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Snapshot;
using model::WorkloadId;

namespace {

template <class Number>
void take(Number& from, Number amount) {
  from = from > amount ? from - amount : Number{};
}

// The untyped sum counts only where no type is named beside it.
void drop_sums_of_types(std::vector<model::GresPool>& held) {
  std::erase_if(held, [held](const auto& pool) {
    return pool.type.empty() && std::any_of(held.begin(), held.end(), [&](const auto& other) {
             return other.name == pool.name && !other.type.empty();
           });
  });
}

void give_back_licences(Snapshot& snapshot, const model::Workload& w) {
  if (w.request.any_licence) return;  // which it has is not said
  for (const auto& held : w.request.licences) {
    for (auto& l : snapshot.licences) {
      if (l.name == held.name) take(l.used, held.count);
    }
  }
}

// Of limits on use that count it, which others may have now.
void give_back_limits(Snapshot& snapshot, const model::Workload& w) {
  auto lower = [&](std::vector<model::Limit>& limits) {
    for (auto& l : limits) {
      if (l.used) l.used = std::max(0.0, *l.used - running_use(snapshot, w, l.kind, l.resource));
    }
  };
  const auto queue = w.queues.empty() ? std::nullopt : snapshot.find_queue(w.queues.front());
  for (auto& qos : snapshot.qos) {
    const bool of_queue = queue && snapshot.queue(*queue).qos == qos.name;
    if (qos.name != w.qos && !of_queue) continue;
    lower(qos.limits);
    for (auto& user : qos.users) {
      if (user.name == w.user) lower(user.limits);
    }
    for (auto& account : qos.accounts) {
      if (account.name == w.account) lower(account.limits);
    }
  }
  const auto name = queue ? snapshot.queue(*queue).name : Symbol();
  const auto* a = snapshot.find_association(w.account, w.user, name);
  for (int depth = 0; a && depth < 64; ++depth, a = parent(snapshot, *a)) {
    lower(snapshot.associations[static_cast<std::size_t>(a - snapshot.associations.data())].limits);
  }
}

void give_back(model::Node& node, const model::NodeAllocation& part) {
  take(node.cpus_allocated, part.cpus.value_or(0));
  node.memory_allocated = Bytes{
      std::max<std::int64_t>(0, node.memory_allocated.value - part.memory.value_or(Bytes{}).value)};
  for (const auto& held : part.gres) {
    auto left = held.total;
    for (auto& pool : node.gres) {
      if (pool.name != held.name || (!held.type.empty() && pool.type != held.type)) continue;
      const auto now = std::min(left, pool.used.value_or(0));
      if (pool.used) *pool.used -= now;
      left -= now;
    }
  }
}

// As the controller of ResourceClaims does it: what nobody uses any more gives its devices back,
// and what was made for the pod goes with it.
void give_back_devices(Snapshot& snapshot, const model::Pod& pod) {
  if (pod.resource_claims.empty() || !snapshot.kubernetes->resource_claims) return;
  change_kubernetes(snapshot, [&](model::Kubernetes& k) {
    for (auto& claim : *k.resource_claims) {
      const auto left =
          std::erase_if(claim.reserved_for, [&](const auto& user) { return user.uid == pod.uid; });
      if (left > 0 && claim.reserved_for.empty()) claim.allocation.reset();
    }
    std::erase_if(*k.resource_claims,
                  [&](const auto& claim) { return claim.owner && claim.owner->uid == pod.uid; });
  });
}

}  // namespace

model::NodeAllocation held_on(const model::Workload& w, NodeId node) {
  for (const auto& part : w.allocation.per_node) {
    if (part.node == node) return part;
  }
  model::NodeAllocation part;
  part.node = node;
  const auto& totals = w.allocation.totals;
  const auto nodes = std::max<double>(1, static_cast<double>(w.allocation.nodes.size()));
  part.cpus = static_cast<std::uint32_t>(totals.get(model::names::kCpu).value_or(0) / nodes);
  part.memory =
      Bytes{static_cast<std::int64_t>(totals.get(model::names::kMemory).value_or(0) / nodes)};
  for (const auto& item : totals.items()) {
    constexpr std::string_view kGres = "gres/";
    auto name = item.name.view();
    if (!name.starts_with(kGres)) continue;
    name.remove_prefix(kGres.size());
    const auto colon = name.find(':');
    model::GresPool pool;
    pool.name = Symbol(name.substr(0, colon));
    if (colon != std::string_view::npos) pool.type = Symbol(name.substr(colon + 1));
    pool.total = static_cast<std::uint64_t>(item.count / nodes);
    part.gres.push_back(std::move(pool));
  }
  drop_sums_of_types(part.gres);
  return part;
}

std::shared_ptr<const Snapshot> edited(const Snapshot& snapshot, const std::vector<Edit>& edits) {
  auto changed = std::make_shared<Snapshot>(snapshot);
  for (const auto& edit : edits) edit(*changed);
  changed->build_index();
  return changed;
}

WhatIf what_if(const Snapshot& snapshot, WorkloadId id, const std::vector<Edit>& edits) {
  auto changed = edited(snapshot, edits);
  WhatIf result;
  result.explainer = std::make_shared<Explainer>(*changed, Plans::kOutdated);
  result.cause = result.explainer->classify(id);
  result.starts = result.cause == RootCause::kNotConsidered && result.explainer->starts_next(id);
  // The queue's order is part of what a job's cause is found from; of a pod's it is not.
  if (result.starts && result.explainer->room_may_go_to_others(id)) {
    result.starts = false;
    result.cause = RootCause::kPriority;
  }
  result.snapshot = std::move(changed);
  return result;
}

void end_workload(Snapshot& snapshot, WorkloadId id) {
  auto& w = snapshot.workloads[id.index];
  for (auto node : w.allocation.nodes) {
    auto& n = snapshot.nodes[node.index];
    give_back(n, held_on(w, node));
    if (n.state == model::NodeState::kAllocated || n.state == model::NodeState::kMixed) {
      n.state = n.cpus_allocated == 0 ? model::NodeState::kIdle : model::NodeState::kMixed;
    }
  }
  give_back_licences(snapshot, w);
  give_back_limits(snapshot, w);
  w.state = model::WorkloadState::kCancelled;
  w.flags = {};
  w.allocation = {};
  if (!w.pod) return;
  give_back_devices(snapshot, *w.pod);
  auto pod = std::make_shared<model::Pod>(*w.pod);
  pod->phase = model::PodPhase::kFailed;
  w.pod = std::move(pod);
}

void change_kubernetes(Snapshot& snapshot, const std::function<void(model::Kubernetes&)>& how) {
  auto kubernetes = std::make_shared<model::Kubernetes>(*snapshot.kubernetes);
  how(*kubernetes);
  snapshot.kubernetes = std::move(kubernetes);
}

void return_node(Snapshot& snapshot, NodeId id) {
  auto& node = snapshot.nodes[id.index];
  using model::NodeFlag;
  for (auto flag : {NodeFlag::kDrain, NodeFlag::kFail, NodeFlag::kNotResponding,
                    NodeFlag::kInvalidRegistration}) {
    node.flags.clear(flag);
  }
  if (node.state == model::NodeState::kDown || node.state == model::NodeState::kError) {
    node.state = model::NodeState::kIdle;
  }
  node.reason.reset();
}

}  // namespace schedlens::diagnose
