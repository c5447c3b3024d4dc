// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/admission_wait.h"
#include "diagnose/constraint_list.h"
#include "diagnose/gang_wait.h"
#include "diagnose/owner_chain.h"
#include "diagnose/permit_waits.h"
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

bool is_kueue(Symbol gate) {
  return gate.view().starts_with("kueue.x-k8s.io/");
}

PodGate held(const Pod& pod) {
  std::vector<std::string_view> names;
  for (Symbol g : pod.gates) names.push_back(g.view());
  PodGate gate;
  gate.cause = RootCause::kHold;
  gate.summary = fmt::format("It is held by {}: {}. Whoever set {} must take {} away.",
                             plural(names.size(), "scheduling gate"), fmt::join(names, ", "),
                             names.size() == 1 ? "it" : "them", names.size() == 1 ? "it" : "them");
  return gate;
}

std::optional<PodGate> foreign_scheduler(const Snapshot& snapshot, const Pod& pod,
                                         const PodMessage& message) {
  const auto name = pod.spec->scheduler;
  // Its scheduler has written the phase of its group.
  const auto* group = group_of(*snapshot.kubernetes, pod);
  if (group && !group->phase.empty()) return std::nullopt;
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

std::optional<PodGate> permit(const Snapshot& snapshot, model::WorkloadId id) {
  const auto wait = permit_wait(snapshot, id);
  // Every binding passes through here for a moment.
  if (!wait || wait->waiting < Seconds{2}) return std::nullopt;
  const auto& group = snapshot.workload(id).pod->group;
  PodGate gate;
  gate.cause = group.empty() ? RootCause::kDependency : RootCause::kGang;
  gate.summary = fmt::format(
      "The scheduler has found it a place on {} {} ago and has not bound it: {}.",
      wait->node.view(), short_duration(wait->waiting),
      group.empty() ? "a plugin lets it wait (Permit), or a volume or device is being prepared"
                    : fmt::format("it waits for the others of its group {} (Permit)", group));
  gate.details.push_back(
      "It holds that room in the scheduler's memory meanwhile, where no other pod can have it.");
  return gate;
}

std::string full_name(Symbol ns, std::string_view name) {
  return fmt::format("{}/{}", ns.view(), name);
}

}  // namespace

PodGates::PodGates(const Snapshot& snapshot) : snapshot_(snapshot) {
  const auto& k = *snapshot.kubernetes;
  if (k.resource_claims) {
    for (const auto& c : *k.resource_claims) claims_.emplace(full_name(c.ns, c.name), &c);
  }
  if (k.claim_templates) {
    for (const auto& t : *k.claim_templates) templates_.insert(full_name(t.ns, t.name));
  }
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& pod = snapshot.workloads[i].pod;
    if (pod && !pod->group.empty() && !model::is_terminal(*pod)) {
      groups_[full_name(pod->ns, pod->group)].push_back({i});
    }
  }
}

std::optional<PodGate> PodGates::resource_claims(const Pod& pod) const {
  const auto& k = *snapshot_.kubernetes;
  std::vector<std::string> problems;
  for (const auto& c : pod.resource_claims) {
    const auto found = claims_.find(full_name(pod.ns, c.claim));
    const auto* claim = found == claims_.end() ? nullptr : found->second;
    if (c.claim.empty()) {
      const bool no_template =
          k.claim_templates && !templates_.contains(full_name(pod.ns, c.claim_template));
      problems.push_back(
          no_template ? fmt::format("its ResourceClaimTemplate {} does not exist", c.claim_template)
                      : fmt::format("its ResourceClaim from the template {} has not been made yet",
                                    c.claim_template));
    } else if (claim && claim->deleting) {
      problems.push_back(fmt::format("its ResourceClaim {} is being deleted", c.claim));
    } else if (k.resource_claims && !claim) {
      problems.push_back(fmt::format("its ResourceClaim {} does not exist", c.claim));
    } else if (claim && !c.claim_template.empty() &&
               (!claim->owner || claim->owner->uid != pod.uid)) {
      problems.push_back(
          fmt::format("its ResourceClaim {} was made for another pod of this name", c.claim));
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

std::optional<PodGate> PodGates::scheduling_gates(const Pod& pod) const {
  if (pod.gates.empty()) return std::nullopt;
  auto gate = held(pod);
  if (std::none_of(pod.gates.begin(), pod.gates.end(), is_kueue)) return gate;
  const auto& k = *snapshot_.kubernetes;
  const auto* workload = admission_of(k, pod);
  if (!workload) {
    gate.details.push_back(
        k.admission_workloads
            ? "Kueue has not admitted it, and no Workload of Kueue stands for it."
            : "Kueue has not admitted it; its Workload, which has the reason, was not read.");
    return gate;
  }
  if (is_admitted(*workload)) {
    gate.details.push_back(fmt::format(
        "Kueue has admitted its Workload {} and takes the gate away next.", workload->name));
    return gate;
  }
  auto wait = admission_wait(snapshot_, *workload);
  if (!std::all_of(pod.gates.begin(), pod.gates.end(), is_kueue)) {
    gate.details.push_back("The gate of Kueue: " + wait.summary);
    return gate;
  }
  return PodGate{wait.cause, std::move(wait.summary), std::move(wait.details),
                 std::move(wait.limits)};
}

std::optional<PodGate> PodGates::gang(const Pod& pod, const PodMessage& message) const {
  static const std::vector<model::WorkloadId> kAlone;
  const auto found = groups_.find(full_name(pod.ns, pod.group));
  const auto& members = found == groups_.end() ? kAlone : found->second;
  auto wait = gang_wait(snapshot_, pod, members, message.text);
  if (!wait) return std::nullopt;
  PodGate gate{RootCause::kGang, std::move(wait->summary), std::move(wait->details),
               std::move(wait->limits)};
  if (wait->cause != RootCause::kUnknown) gate.cause = wait->cause;
  gate.if_it_fits = wait->lacks_only_this;
  if (!wait->ask_others) return gate;
  if (auto other = telling_member(pod, members); !other.empty()) {
    gate.details.push_back("What the group lacks is told by another member, " + other);
  }
  return gate;
}

// Fewer members exist than the group must have before any of them is scheduled.
bool PodGates::group_is_short(const Pod& pod) const {
  const auto* group = group_of(*snapshot_.kubernetes, pod);
  if (!group || !group->min_members) return false;
  const auto found = groups_.find(full_name(pod.ns, pod.group));
  const std::size_t exist = found == groups_.end() ? 0 : found->second.size();
  return std::cmp_less(exist, *group->min_members);
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
  if (auto gate = permit(snapshot_, id)) return gate;
  // The scheduler may just not have come to a new one, unless its group is known to be too small.
  const bool is_new = w.submitted && snapshot_.time - *w.submitted < Seconds{10};
  if (message.text.empty() && is_new && !group_is_short(pod)) return std::nullopt;
  return gang(pod, message);
}

}  // namespace schedlens::diagnose
