// SPDX-License-Identifier: Apache-2.0
#include "diagnose/admission_wait.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_text.h"
#include "diagnose/pod_text.h"
#include "model/kubernetes.h"

namespace schedlens::diagnose {

using model::AdmissionWorkload;
using model::ClusterQueue;
using model::Kubernetes;
using model::LocalQueue;

namespace {

bool is_true(const model::PodCondition* condition) {
  return condition && condition->status;
}

bool stopped(Symbol policy) {
  return !policy.empty() && policy.view() != "None";
}

template <class List, class Predicate>
auto find(const std::optional<List>& list, Predicate predicate) -> typename List::const_pointer {
  if (!list) return nullptr;
  const auto at = std::find_if(list->begin(), list->end(), predicate);
  return at == list->end() ? nullptr : &*at;
}

const LocalQueue* local_queue(const Kubernetes& k, const AdmissionWorkload& w) {
  return find(k.local_queues,
              [&](const LocalQueue& q) { return q.ns == w.ns && q.name == w.queue; });
}

const ClusterQueue* cluster_queue(const Kubernetes& k, Symbol name) {
  return find(k.cluster_queues, [&](const ClusterQueue& q) { return q.name == name; });
}

bool waits(const AdmissionWorkload& w) {
  static const Symbol kReserved{"QuotaReserved"};
  return w.active && !is_finished(w) && !is_admitted(w) && !is_true(w.condition(kReserved));
}

// Of all its pods; a pod counts itself as one of "pods".
model::Quantities total_request(const AdmissionWorkload& w) {
  model::Quantities total;
  for (const auto& set : w.pod_sets) {
    for (const auto& item : set.request.items()) total.add(item.name, item.amount * set.count);
    total.add(model::names::kKubePods, set.count);
  }
  return total;
}

// What a flavor has for the queue, its cohort included.
struct FlavorRoom {
  std::int64_t limit = 0;
  std::int64_t used = 0;
  bool exact = true;  // no lending limit, which would bound what others give
};
FlavorRoom room(const Kubernetes& k, const ClusterQueue& queue, const model::FlavorQuota& quota) {
  FlavorRoom room{quota.nominal, quota.reserved, true};
  if (queue.cohort.empty() || !k.cluster_queues) return room;
  std::int64_t nominal = 0, reserved = 0;
  for (const auto& other : *k.cluster_queues) {
    if (other.cohort != queue.cohort) continue;
    for (const auto& q : other.quotas) {
      if (q.flavor != quota.flavor || q.resource != quota.resource) continue;
      nominal += q.nominal;
      reserved += q.reserved;
      room.exact &= !q.lending_limit || &other == &queue;
    }
  }
  // What is left to the queue: the cohort's rest, but no more than it may borrow.
  auto left = nominal - reserved;
  if (quota.borrowing_limit) {
    left = std::min(left, quota.nominal + *quota.borrowing_limit - quota.reserved);
  }
  room.limit = quota.reserved + left;
  return room;
}

std::string holder_name(const ClusterQueue& queue, const model::FlavorQuota& quota) {
  auto text = fmt::format("ClusterQueue {}, flavor {}", queue.name.view(), quota.flavor.view());
  return queue.cohort.empty() ? text : text + fmt::format(", cohort {}", queue.cohort.view());
}

// The resource that no flavor has enough of, and by how much the best of them is short.
struct Shortage {
  std::string text;
  std::vector<ReachedLimit> limits;
  bool alone_exceeds = true;  // more than the quota is, whoever uses it
  bool exact = true;
  bool any = false;
};

double shown(Symbol resource, std::int64_t amount) {
  return static_cast<double>(amount) / (resource == model::names::kKubeCpu ? 1000 : 1);
}

void test_resource(const Kubernetes& k, const ClusterQueue& queue, Symbol resource,
                   std::int64_t asked, Shortage& shortage) {
  std::optional<std::int64_t> least;
  std::string text;
  bool covered = false, exceeds = true;
  std::vector<ReachedLimit> limits;
  for (const auto& quota : queue.quotas) {
    if (quota.resource != resource) continue;
    covered = true;
    const auto r = room(k, queue, quota);
    shortage.exact &= r.exact;
    const auto missing = asked - (r.limit - r.used);
    if (missing <= 0) return;
    ReachedLimit limit;
    limit.holder = holder_name(queue, quota);
    limit.name = "quota";
    limit.resource = resource;
    limit.limit = shown(resource, r.limit);
    limit.used = shown(resource, r.used);
    limit.requested = shown(resource, asked);
    limit.request_alone_exceeds = queue.cohort.empty() && asked > quota.nominal;
    exceeds &= limit.request_alone_exceeds;
    limits.push_back(std::move(limit));
    if (least && *least <= missing) continue;
    least = missing;
    text = fmt::format("{} asked, {} of {} in use in flavor {}, so {} too few",
                       amount_text(resource, asked), shown(resource, r.used),
                       shown(resource, r.limit), quota.flavor.view(), shown(resource, missing));
  }
  // "pods" and what is no quota's business.
  if (!covered) {
    if (resource == model::names::kKubePods) return;
    text = fmt::format("{} asked, which it has no quota for", amount_text(resource, asked));
  }
  shortage.any = true;
  shortage.alone_exceeds &= exceeds;
  shortage.text += (shortage.text.empty() ? "" : "; ") + text;
  for (auto& l : limits) shortage.limits.push_back(std::move(l));
}

void explain_quota(const Kubernetes& k, const AdmissionWorkload& w, const ClusterQueue& queue,
                   AdmissionWait& wait) {
  Shortage shortage;
  const auto total = total_request(w);
  for (const auto& item : total.items()) {
    test_resource(k, queue, item.name, item.amount, shortage);
  }
  const auto place = admission_place(k, w);
  const auto position = place ? fmt::format("It is number {} of {} that wait in ClusterQueue {}.",
                                            place->place, place->waiting, queue.name.view())
                              : std::string();
  if (shortage.any) {
    wait.cause = shortage.alone_exceeds ? RootCause::kImpossible : RootCause::kLimit;
    wait.summary = fmt::format("Kueue has no quota for it in ClusterQueue {}: {}.",
                               queue.name.view(), shortage.text);
    wait.limits = std::move(shortage.limits);
  } else if (place && place->place > 1) {
    wait.cause = RootCause::kPriority;
    wait.summary = fmt::format(
        "The quota of ClusterQueue {} would do for it, and {} ahead of it {} first.",
        queue.name.view(), place->place == 2 ? "one" : fmt::format("{}", place->place - 1),
        place->place == 2 ? "comes" : "come");
  } else {
    wait.cause = RootCause::kNotConsidered;
    wait.summary =
        fmt::format("The quota of ClusterQueue {} would do for it; Kueue has not admitted it yet.",
                    queue.name.view());
  }
  if (!position.empty()) wait.details.push_back(position);
  if (!shortage.exact) {
    wait.details.emplace_back(
        "Lending limits in the cohort were not counted: less may be left than is said.");
  }
}

// Queues that are missing or stopped.
bool explain_queues(const Kubernetes& k, const AdmissionWorkload& w, AdmissionWait& wait) {
  static const Symbol kActive{"Active"};
  const auto* local = local_queue(k, w);
  wait.cause = RootCause::kHold;
  if (!k.local_queues || !k.cluster_queues) {
    wait.cause = RootCause::kUnknown;
    wait.summary = "Kueue has not admitted it, and Kueue's queues were not read.";
    return true;
  }
  if (!local) {
    wait.cause = RootCause::kDependency;
    wait.summary = w.queue.empty() ? std::string("It names no LocalQueue of Kueue.")
                                   : fmt::format("Its LocalQueue {} does not exist.", w.queue);
    return true;
  }
  if (stopped(local->stop_policy)) {
    wait.summary =
        fmt::format("Its LocalQueue {} is stopped ({}).", w.queue, local->stop_policy.view());
    return true;
  }
  const auto* queue = cluster_queue(k, local->cluster_queue);
  if (!queue) {
    wait.cause = RootCause::kDependency;
    wait.summary = fmt::format("ClusterQueue {} of its LocalQueue {} does not exist.",
                               local->cluster_queue.view(), w.queue);
    return true;
  }
  if (stopped(queue->stop_policy)) {
    wait.summary = fmt::format("ClusterQueue {} is stopped ({}).", queue->name.view(),
                               queue->stop_policy.view());
    return true;
  }
  const auto* active = queue->condition(kActive);
  if (active && !active->status) {
    wait.cause = RootCause::kDependency;
    wait.summary = fmt::format("ClusterQueue {} is not active: {}.", queue->name.view(),
                               active->message->empty() ? active->reason.view() : *active->message);
    return true;
  }
  return false;
}

bool explain_checks(const AdmissionWorkload& w, AdmissionWait& wait) {
  static const Symbol kReserved{"QuotaReserved"};
  if (!is_true(w.condition(kReserved))) return false;
  std::vector<std::string> open;
  for (const auto& c : w.checks) {
    if (c.state.view() == "Ready") continue;
    open.push_back(fmt::format("{} ({}{}{})", c.name, c.state.view(), c.message.empty() ? "" : ": ",
                               c.message));
  }
  wait.cause = open.empty() ? RootCause::kNotConsidered : RootCause::kDependency;
  wait.summary =
      open.empty()
          ? fmt::format("Kueue holds quota for it in ClusterQueue {} and has not started it yet.",
                        w.cluster_queue.view())
          : fmt::format("Kueue holds quota for it and waits for its admission checks: {}.",
                        fmt::join(open, ", "));
  return true;
}

}  // namespace

bool is_admitted(const AdmissionWorkload& workload) {
  static const Symbol kAdmitted{"Admitted"};
  return is_true(workload.condition(kAdmitted));
}

bool is_finished(const AdmissionWorkload& workload) {
  static const Symbol kFinished{"Finished"};
  return is_true(workload.condition(kFinished));
}

std::optional<AdmissionPlace> admission_place(const Kubernetes& k, const AdmissionWorkload& w) {
  const auto* mine = local_queue(k, w);
  if (!mine || !k.admission_workloads) return std::nullopt;
  AdmissionPlace place;
  for (const auto& other : *k.admission_workloads) {
    if (&other == &w || !waits(other)) continue;
    const auto* theirs = local_queue(k, other);
    if (!theirs || theirs->cluster_queue != mine->cluster_queue) continue;
    ++place.waiting;
    const auto a = other.priority.value_or(0), b = w.priority.value_or(0);
    if (a > b || (a == b && other.created < w.created)) ++place.place;
  }
  return place;
}

AdmissionWait admission_wait(const model::Snapshot& snapshot, const AdmissionWorkload& w) {
  static const Symbol kReserved{"QuotaReserved"};
  const auto& k = *snapshot.kubernetes;
  AdmissionWait wait;
  if (const auto* c = w.condition(kReserved); c && !c->status) wait.message = *c->message;
  if (!wait.message.empty()) wait.details.push_back("Kueue says: " + wait.message);
  if (!w.active) {
    wait.cause = RootCause::kHold;
    wait.summary = fmt::format("Its Workload {} of Kueue is deactivated.", w.name);
    return wait;
  }
  if (explain_checks(w, wait)) return wait;
  if (explain_queues(k, w, wait)) return wait;
  if (w.requeue_at && *w.requeue_at > snapshot.time) {
    wait.cause = RootCause::kBeginTime;
    wait.summary =
        fmt::format("Kueue has put it back and tries again at {}.", local_time(*w.requeue_at));
    return wait;
  }
  explain_quota(k, w, *cluster_queue(k, local_queue(k, w)->cluster_queue), wait);
  return wait;
}

}  // namespace schedlens::diagnose
