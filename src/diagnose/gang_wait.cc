// SPDX-License-Identifier: Apache-2.0
#include "diagnose/gang_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/owner_chain.h"
#include "diagnose/pod_text.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

using model::Kubernetes;
using model::Pod;
using model::PodGroup;
using model::Snapshot;
using model::WorkloadId;

namespace {

// Of Kubernetes itself, of the coscheduling plugin and of Volcano.
constexpr auto kGroupWords = std::to_array<std::string_view>(
    {"pod group is unschedulable", "waiting for minCount pods from a gang", "gets rejected due to",
     "cannot find enough sibling pods", "gang is rejected", "optimistic rejection in PostFilter",
     "pod group is not ready", "job is not ready", "pod group is not schedulable"});

bool speaks_of_group(std::string_view message) {
  return std::any_of(kGroupWords.begin(), kGroupWords.end(), [&](std::string_view words) {
    return message.find(words) != std::string_view::npos;
  });
}

bool is_volcano(const PodGroup& group) {
  return group.api.view() == "scheduling.volcano.sh";
}

struct Members {
  std::size_t exist = 0, bound = 0;
  std::vector<std::string> waiting;
};
Members count(const Snapshot& snapshot, const std::vector<WorkloadId>& ids) {
  Members members;
  for (auto id : ids) {
    const auto& w = snapshot.workload(id);
    ++members.exist;
    if (w.pod->node_name.empty()) {
      members.waiting.push_back(w.name);
    } else {
      ++members.bound;
    }
  }
  return members;
}

const model::GroupQueue* queue_of(const Kubernetes& k, const PodGroup& group) {
  if (!k.group_queues) return nullptr;
  const auto at = std::find_if(k.group_queues->begin(), k.group_queues->end(),
                               [&](const auto& q) { return q.name == group.queue; });
  return at == k.group_queues->end() ? nullptr : &*at;
}

double shown(Symbol resource, std::int64_t amount) {
  return static_cast<double>(amount) / (resource == model::names::kKubeCpu ? 1000 : 1);
}

// Groups of the queue that count with what they asked for though nothing of them is left: Volcano
// forgets to take it back.
std::vector<std::string> leaks(const Snapshot& snapshot, const PodGroup& mine) {
  std::vector<std::string> list;
  for (const auto& g : *snapshot.kubernetes->pod_groups) {
    if (&g == &mine || !is_volcano(g) || g.queue != mine.queue || g.min_resources.empty()) continue;
    if (g.phase.view() != "Inqueue" && g.phase.view() != "Running") continue;
    const bool ended = g.succeeded.value_or(0) + g.failed.value_or(0) > 0;
    const bool alive =
        std::any_of(snapshot.workloads.begin(), snapshot.workloads.end(), [&](const auto& w) {
          return w.pod && w.pod->ns == g.ns && w.pod->group == g.name &&
                 !model::is_terminal(*w.pod);
        });
    if (alive || !ended) continue;
    std::vector<std::string> amounts;
    for (const auto& item : g.min_resources.items()) {
      amounts.push_back(amount_text(item.name, item.amount));
    }
    list.push_back(fmt::format("{}/{} ({})", g.ns.view(), g.name, fmt::join(amounts, ", ")));
  }
  return list;
}

// The group has not been let into its queue: which resource the queue is short of.
void explain_queue(const Snapshot& snapshot, const PodGroup& group, GangWait& wait) {
  const auto& k = *snapshot.kubernetes;
  const auto* queue = queue_of(k, group);
  if (!queue) {
    if (k.group_queues) {
      wait.cause = RootCause::kDependency;
      wait.summary =
          fmt::format("Queue {} of its group {} does not exist.", group.queue, group.name);
    }
    return;
  }
  if (!queue->state.empty() && queue->state.view() != "Open") {
    wait.cause = RootCause::kHold;
    wait.summary = fmt::format("Queue {} of its group {} is not open ({}).", queue->name,
                               group.name, queue->state.view());
    return;
  }
  if (!queue->capability) return;
  std::vector<std::string> parts;
  for (const auto& item : group.min_resources.items()) {
    const auto bound = queue->capability->find(item.name);
    const auto used = queue->allocated.get(item.name);
    if (!bound || used + item.amount <= *bound) continue;
    ReachedLimit limit;
    limit.holder = fmt::format("queue {}", queue->name);
    limit.name = "capability";
    limit.resource = item.name;
    limit.limit = shown(item.name, *bound);
    limit.used = shown(item.name, used);
    limit.requested = shown(item.name, item.amount);
    limit.request_alone_exceeds = item.amount > *bound;
    parts.push_back(fmt::format("{} of {} {} used and {} asked", limit.used.value_or(0),
                                limit.limit, item.name.view(), limit.requested));
    wait.limits.push_back(std::move(limit));
  }
  if (parts.empty()) return;
  wait.cause = RootCause::kLimit;
  wait.summary = fmt::format("Its group {} does not fit into queue {}: {}.", group.name,
                             queue->name, fmt::join(parts, "; "));
}

void explain_missing(const Pod& pod, const PodGroup* group, const Members& members,
                     std::string_view message, GangWait& wait) {
  const auto exist = fmt::format("{} of its group {} {}", plural(members.exist, "pod"), pod.group,
                                 members.exist == 1 ? "exists" : "exist");
  const auto needed = group ? group->min_members : std::nullopt;
  wait.ask_others = !message.empty();
  if (needed && members.exist < static_cast<std::size_t>(std::max(0, *needed))) {
    wait.summary =
        fmt::format("Only {}, and the group needs {} before any is scheduled.", exist, *needed);
    return;
  }
  if (needed) {
    wait.summary = fmt::format(
        "Its group {} starts with at least {} pods or not at all; {} exist, {} {} a node and {} "
        "{} for one.",
        pod.group, *needed, members.exist, members.bound, members.bound == 1 ? "has" : "have",
        members.waiting.size(), members.waiting.size() == 1 ? "waits" : "wait");
  } else if (!message.empty()) {
    wait.summary = fmt::format(
        "It would fit, but too few pods of its group{} do, and the group starts together or not "
        "at all.",
        pod.group.empty() ? "" : " " + pod.group);
  } else {
    wait.summary = fmt::format(
        "The scheduler says nothing about it, as for a pod whose group is incomplete; {}.", exist);
    wait.details.emplace_back("How many pods the group needs was not read.");
  }
}

}  // namespace

std::optional<GangWait> gang_wait(const Snapshot& snapshot, const Pod& pod,
                                  const std::vector<WorkloadId>& ids, std::string_view message) {
  const bool silent = !pod.group.empty() && message.empty();
  if (!silent && !speaks_of_group(message)) return std::nullopt;
  const auto& k = *snapshot.kubernetes;
  const auto* group = group_of(k, pod);
  GangWait wait;
  const auto members = count(snapshot, ids);
  const bool all_read = k.pod_groups && (snapshot.find_source("podgroups.scheduling.x-k8s.io") ||
                                         snapshot.find_source("podgroups.scheduling.k8s.io"));
  if (silent && !group && all_read) {
    wait.cause = RootCause::kDependency;
    wait.summary = fmt::format("Its PodGroup {} does not exist.", pod.group);
    return wait;
  }
  explain_missing(pod, group, members, message, wait);
  if (!group) return wait;
  static const Symbol kPending{"Pending"};
  if (is_volcano(*group)) {
    if (group->phase == kPending || group->phase.empty()) explain_queue(snapshot, *group, wait);
    if (auto list = leaks(snapshot, *group); !list.empty()) {
      wait.details.push_back(fmt::format(
          "Groups of the queue of which no pod is left still count with what they asked for: {}.",
          some_of(list)));
    }
  }
  const auto needed = static_cast<std::size_t>(std::max(0, group->min_members.value_or(0)));
  wait.lacks_only_this = group->min_members && wait.cause == RootCause::kUnknown &&
                         members.exist >= needed && members.bound + 1 >= needed;
  if (!group->phase.empty()) {
    wait.details.push_back(fmt::format("The group's phase is {}.", group->phase.view()));
  }
  if (!members.waiting.empty()) {
    wait.details.push_back(fmt::format("Members without a node: {}.", some_of(members.waiting, 5)));
  }
  for (const auto& c : group->conditions) {
    if (!c.status || c.message->empty() || c.type.view() == "Scheduled") continue;
    wait.details.push_back(fmt::format("Its scheduler says of the group: {}.", *c.message));
  }
  return wait;
}

}  // namespace schedlens::diagnose
