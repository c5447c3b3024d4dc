// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "diagnose/constraint_list.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::Pod;
using model::Snapshot;

namespace {

std::optional<PodGate> bound(const Snapshot& snapshot, const Pod& pod) {
  if (pod.node_name.empty()) return std::nullopt;
  static const Symbol kPodScheduled{"PodScheduled"};
  const auto* condition = pod.condition(kPodScheduled);
  PodGate gate;
  gate.cause = RootCause::kNotConsidered;
  if (!snapshot.find_node(pod.node_name)) {
    gate.summary = fmt::format(
        "It is bound to node {}, which does not exist; the pod garbage collector will delete it.",
        pod.node_name.view());
  } else if (condition && condition->status) {
    gate.cause = RootCause::kNone;
    gate.summary = fmt::format("It has been placed on {}, whose kubelet has not started it yet.",
                               pod.node_name.view());
  } else {
    gate.summary = fmt::format(
        "It was bound to {} by hand (spec.nodeName), so no scheduler looks at it; it waits for "
        "that node's kubelet to take or refuse it.",
        pod.node_name.view());
  }
  return gate;
}

std::optional<PodGate> deleting(const Pod& pod, const PodMessage& message) {
  if (!pod.deleting) return std::nullopt;
  PodGate gate;
  gate.cause = RootCause::kNotConsidered;
  gate.summary = "It is being deleted, and the scheduler passes over such pods.";
  if (!message.text.empty()) {
    gate.details.push_back("The scheduler's condition is from before the deletion.");
  }
  return gate;
}

std::optional<PodGate> scheduling_gates(const Pod& pod) {
  if (pod.gates.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (Symbol g : pod.gates) names.push_back(g.view());
  PodGate gate;
  gate.cause = RootCause::kHold;
  gate.summary = fmt::format("It is held by {}: {}. Whoever set {} must take {} away.",
                             plural(names.size(), "scheduling gate"), fmt::join(names, ", "),
                             names.size() == 1 ? "it" : "them", names.size() == 1 ? "it" : "them");
  static const Symbol kKueue{"kueue.x-k8s.io/admission"};
  if (std::find(pod.gates.begin(), pod.gates.end(), kKueue) != pod.gates.end()) {
    gate.details.push_back(
        "Kueue has not admitted it; the reason is in the Workload object that belongs to it.");
  }
  return gate;
}

std::optional<PodGate> foreign_scheduler(const Snapshot& snapshot, const Pod& pod,
                                         const PodMessage& message) {
  const auto name = pod.spec->scheduler;
  // Somebody has written a condition, so somebody serves it.
  if (is_served(*snapshot.kubernetes, name) || !message.text.empty()) return std::nullopt;
  PodGate gate;
  gate.cause = RootCause::kNotConsidered;
  gate.summary = fmt::format(
      "It asks for the scheduler \"{}\", and nothing shows that one of that name runs; no other "
      "scheduler takes it up.",
      name.view());
  return gate;
}

std::string full_name(Symbol ns, std::string_view name) {
  return fmt::format("{}/{}", ns.view(), name);
}

}  // namespace

PodGates::PodGates(const Snapshot& snapshot) : snapshot_(snapshot) {
  const auto& k = *snapshot.kubernetes;
  if (k.resource_claims) claims_.insert(k.resource_claims->begin(), k.resource_claims->end());
  if (k.resource_claims_deleting) {
    claims_deleting_.insert(k.resource_claims_deleting->begin(), k.resource_claims_deleting->end());
  }
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& pod = snapshot.workloads[i].pod;
    if (pod && !pod->group.empty() && !model::is_terminal(*pod)) {
      groups_[full_name(pod->ns, pod->group)].push_back({i});
    }
  }
}

std::optional<PodGate> PodGates::resource_claims(const Pod& pod) const {
  const bool known = snapshot_.kubernetes->resource_claims.has_value();
  std::vector<std::string> problems;
  for (const auto& c : pod.resource_claims) {
    const auto name = full_name(pod.ns, c.claim);
    if (c.claim.empty()) {
      problems.push_back(fmt::format("its ResourceClaim from the template {} has not been made yet",
                                     c.claim_template));
    } else if (claims_deleting_.contains(name)) {
      problems.push_back(fmt::format("its ResourceClaim {} is being deleted", c.claim));
    } else if (known && !claims_.contains(name)) {
      problems.push_back(fmt::format("its ResourceClaim {} does not exist", c.claim));
    }
  }
  if (problems.empty()) return std::nullopt;
  PodGate gate;
  gate.cause = RootCause::kDependency;
  gate.summary = fmt::format("The scheduler does not look at it: {}.", fmt::join(problems, ", "));
  gate.details.push_back("Nothing in the cluster says so: there is no condition and no event.");
  return gate;
}

// Another pod of the gang that tells what it lacks.
std::string PodGates::telling_member(const Pod& pod,
                                     const std::vector<model::WorkloadId>& members) const {
  static const Symbol kPodScheduled{"PodScheduled"};
  for (auto id : members) {
    const auto& other = snapshot_.workload(id);
    if (other.pod.get() == &pod || !model::is_pending(other)) continue;
    const auto* condition = other.pod->condition(kPodScheduled);
    if (!condition || condition->status) continue;
    const auto fit = parse_fit_message(*condition->message);
    if (fit && fit->nodes > 1) return fmt::format("{}: {}", other.name, *condition->message);
  }
  return {};
}

std::optional<PodGate> PodGates::gang(const Pod& pod, const PodMessage& message) const {
  const bool waits_for_others =
      message.text.find("pod group is unschedulable") != std::string::npos ||
      message.text.find("waiting for minCount pods from a gang") != std::string::npos;
  const bool silent = !pod.group.empty() && message.text.empty();
  if (!waits_for_others && !silent) return std::nullopt;
  static const std::vector<model::WorkloadId> kAlone;
  const auto found = groups_.find(full_name(pod.ns, pod.group));
  const auto& members = found == groups_.end() ? kAlone : found->second;
  PodGate gate;
  gate.cause = RootCause::kGang;
  if (waits_for_others) {
    gate.summary = fmt::format(
        "It would fit, but too few pods of its group{} do, and the group starts together or not "
        "at all.",
        pod.group.empty() ? "" : " " + pod.group);
    if (auto other = telling_member(pod, members); !other.empty()) {
      gate.details.push_back("What the group lacks is told by another member, " + other);
    }
    return gate;
  }
  const model::Controller* group = nullptr;
  static const Symbol kPodGroup{"PodGroup"};
  if (snapshot_.kubernetes->controllers) {
    for (const auto& c : *snapshot_.kubernetes->controllers) {
      if (c.kind == kPodGroup && c.ns == pod.ns && c.name == pod.group) group = &c;
    }
  }
  const auto exist = fmt::format("{} of its group {} {}", plural(members.size(), "pod"), pod.group,
                                 members.size() == 1 ? "exists" : "exist");
  if (group && group->desired && members.size() < static_cast<std::size_t>(*group->desired)) {
    gate.summary = fmt::format("Only {}, and the group needs {} before any is scheduled.", exist,
                               *group->desired);
  } else {
    gate.summary = fmt::format(
        "The scheduler says nothing about it, as for a pod whose group is incomplete; {}.", exist);
    gate.details.push_back("How many pods the group needs was not read.");
  }
  return gate;
}

bool is_served(const model::Kubernetes& kubernetes, Symbol scheduler) {
  const auto& names = kubernetes.scheduler_names;
  if (scheduler.empty() || scheduler.view() == "default-scheduler") return true;
  return std::find(names.begin(), names.end(), scheduler) != names.end();
}

std::optional<PodGate> PodGates::gate(model::WorkloadId id, const PodMessage& message) const {
  const auto& w = snapshot_.workload(id);
  const auto& pod = *w.pod;
  if (auto gate = bound(snapshot_, pod)) return gate;
  if (auto gate = deleting(pod, message)) return gate;
  if (auto gate = scheduling_gates(pod)) return gate;
  if (auto gate = foreign_scheduler(snapshot_, pod, message)) return gate;
  if (auto gate = resource_claims(pod)) return gate;
  // The scheduler may just not have come to a new one.
  const bool is_new = w.submitted && snapshot_.time - *w.submitted < Seconds{10};
  if (message.text.empty() && is_new) return std::nullopt;
  return gang(pod, message);
}

}  // namespace schedlens::diagnose
