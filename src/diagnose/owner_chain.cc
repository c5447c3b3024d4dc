// SPDX-License-Identifier: Apache-2.0
#include "diagnose/owner_chain.h"

#include <fmt/format.h>

#include <algorithm>

namespace schedlens::diagnose {

using model::Kubernetes;
using model::OwnerReference;
using model::Pod;

namespace {

// Owners of owners are few; a loop among them would be a mistake of somebody's.
constexpr int kMostOwners = 6;

const model::Controller* controller(const Kubernetes& k, const OwnerReference& owner) {
  if (!k.controllers) return nullptr;
  const auto at = std::find_if(k.controllers->begin(), k.controllers->end(),
                               [&](const auto& c) { return !c.uid.empty() && c.uid == owner.uid; });
  return at == k.controllers->end() ? nullptr : &*at;
}

std::vector<OwnerReference> owners(const Kubernetes& k, const Pod& pod) {
  std::vector<OwnerReference> list;
  auto next = pod.owner;
  for (int i = 0; next && i < kMostOwners; ++i) {
    const auto* c = controller(k, *next);
    if (c) next->kind = c->kind;
    list.push_back(*next);
    next = c ? c->owner : std::nullopt;
  }
  return list;
}

}  // namespace

const model::AdmissionWorkload* admission_of(const Kubernetes& k, const Pod& pod) {
  if (!k.admission_workloads) return nullptr;
  const auto chain = owners(k, pod);
  auto stands_for = [&](const model::AdmissionWorkload& w) {
    if (w.ns != pod.ns) return false;
    if (!pod.group.empty() && w.name == pod.group) return true;
    return std::any_of(w.owners.begin(), w.owners.end(), [&](const OwnerReference& o) {
      if (o.uid == pod.uid) return true;
      return std::any_of(chain.begin(), chain.end(), [&](const auto& c) { return c.uid == o.uid; });
    });
  };
  const auto& all = *k.admission_workloads;
  const auto at = std::find_if(all.begin(), all.end(), stands_for);
  return at == all.end() ? nullptr : &*at;
}

const model::PodGroup* group_of(const Kubernetes& k, const Pod& pod) {
  if (!k.pod_groups || pod.group.empty()) return nullptr;
  const auto at = std::find_if(k.pod_groups->begin(), k.pod_groups->end(), [&](const auto& g) {
    return g.ns == pod.ns && g.name == pod.group;
  });
  return at == k.pod_groups->end() ? nullptr : &*at;
}

std::vector<Belonging> owner_chain(const Kubernetes& k, const Pod& pod) {
  static const Symbol kGroup{"PodGroup"}, kWorkload{"Workload"}, kQueue{"LocalQueue"};
  static const Symbol kGroupQueue{"Queue"};
  std::vector<Belonging> chain;
  for (auto& owner : owners(k, pod)) chain.push_back({owner.kind, std::move(owner.name)});
  const auto* admission = admission_of(k, pod);
  if (!pod.group.empty() && (!admission || admission->name != pod.group)) {
    const bool known = std::any_of(chain.begin(), chain.end(), [&](const Belonging& b) {
      return b.kind == kGroup && b.name == pod.group;
    });
    if (!known) chain.push_back({kGroup, pod.group});
  }
  if (const auto* group = group_of(k, pod); group && !group->queue.empty()) {
    chain.push_back({kGroupQueue, group->queue});
  }
  if (!admission) return chain;
  chain.push_back({kWorkload, admission->name});
  if (!admission->queue.empty()) chain.push_back({kQueue, admission->queue});
  return chain;
}

GroupCounts::GroupCounts(const model::Snapshot& snapshot) : kubernetes_(*snapshot.kubernetes) {
  for (const auto& w : snapshot.workloads) {
    if (!w.pod || w.pod->group.empty() || model::is_terminal(*w.pod)) continue;
    auto& count = by_name_[{w.pod->ns, w.pod->group}];
    ++count.exist;
    if (!w.pod->node_name.empty()) ++count.bound;
  }
}

std::optional<GroupCount> GroupCounts::of(const Pod& pod) const {
  if (pod.group.empty()) return std::nullopt;
  GroupCount count;
  if (const auto at = by_name_.find({pod.ns, pod.group}); at != by_name_.end()) count = at->second;
  if (const auto* group = group_of(kubernetes_, pod)) count.needed = group->min_members;
  return count;
}

std::string to_text(const std::vector<Belonging>& chain) {
  std::string text;
  for (const auto& b : chain) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", b.kind.view(), b.name);
  }
  return text;
}

}  // namespace schedlens::diagnose
