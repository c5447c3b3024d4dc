// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_explainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/autoscaler_notes.h"
#include "diagnose/owner_chain.h"
#include "diagnose/pod_constraints.h"
#include "diagnose/pod_counts.h"
#include "diagnose/pod_hole.h"
#include "diagnose/pod_preemption.h"
#include "diagnose/pod_summary.h"
#include "diagnose/pod_text.h"
#include "diagnose/pod_wake.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::WorkloadId;
using Step = PodAssessment::Step;

namespace {

// Where it is not known whether the devices of ResourceClaims suffice the scheduler's word counts.
std::optional<std::pair<RootCause, std::string>> schedulers_word(Step step, const model::Pod& pod,
                                                                 const PodMessage& message) {
  if (step != Step::kNotRead || pod.resource_claims.empty()) return std::nullopt;
  // A selector that fails on one device ends the attempt for every node.
  if (message.internal_error && message.text.find("CEL ") != std::string::npos) {
    return {{RootCause::kImpossible, message.text}};
  }
  if (!message.fit) return std::nullopt;
  const auto& whole = message.fit->whole_pod;
  if (whole.find("device class") != std::string::npos) return {{RootCause::kImpossible, whole}};
  if (filter_of_reason(whole) == PodFilter::kDynamicResources) {
    return {{RootCause::kCapacity, whole}};
  }
  for (const auto& c : message.fit->reasons) {
    if (filter_of_reason(c.reason) == PodFilter::kDynamicResources) {
      return {{RootCause::kCapacity, c.reason}};
    }
  }
  return std::nullopt;
}

void fill_unhealthy(const PodCluster& cluster, const model::PodSpec& spec, const PodAnswer& answer,
                    Verdict& verdict) {
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    const auto health = node_health(cluster, spec, answer, {i});
    if (health.state.empty()) continue;
    const auto others = answer.failed[i].without(health.forgiven);
    if (!others.without(reasons_of(PodFilter::kNodeResourcesFit)).empty()) continue;
    const auto& node = cluster.snapshot().node({i});
    std::string reason = node.reason ? node.reason->text : "";
    static const Symbol kReady{"Ready"};
    const auto* ready = cluster.object({i}).condition(kReady);
    if (reason.empty() && ready && !ready->status) reason = ready->message;
    verdict.unhealthy_nodes.push_back({{i}, health.state, std::move(reason), others.empty()});
  }
}

void fill_gpus(const PodCluster& cluster, const model::Workload& w, const PodAnswer& answer,
               Verdict& verdict) {
  const auto& spec = *w.pod->spec;
  const auto ask = std::find_if(answer.asks.begin(), answer.asks.end(),
                                [&](const ResourceAsk& a) { return is_gpu_resource(w, a.name); });
  if (ask == answer.asks.end()) return;
  const auto index = static_cast<std::size_t>(ask - answer.asks.begin());
  auto& gpus = verdict.gpus;
  auto count = [](std::int64_t n) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, n));
  };
  gpus.requested = gpus.requested_per_node = count(ask->amount);
  for (std::uint32_t i = 0; i < answer.failed.size(); ++i) {
    const NodeId node{i};
    const auto failed = answer.failed[i];
    const auto health = node_health(cluster, spec, answer, node);
    const auto room = reasons_of(PodFilter::kNodeResourcesFit);
    if (!failed.without(room).without(health.forgiven).empty()) continue;
    if (!health.in_service) {
      gpus.out_of_service += count(healthy_total(cluster, *ask, node));
      continue;
    }
    gpus.out_of_service += count(healthy_total(cluster, *ask, node) - ask->allocatable(node));
    const auto free = count(ask->free(node));
    gpus.free += free;
    if (!failed.only(room).without(PodReasons::resource(index)).empty()) {
      gpus.stranded += free;
      continue;
    }
    gpus.free_allocatable += free;
    gpus.largest_hole = std::max(gpus.largest_hole, free);
  }
}

void fill_fit(const PodAnswer& answer, Verdict& verdict) {
  for (std::uint32_t i = 0; i < answer.failed.size() && answer.whole_pod.empty(); ++i) {
    if (answer.passes({i})) verdict.fit.nodes.push_back({i});
  }
  verdict.fit.nodes_passing = static_cast<std::uint32_t>(verdict.fit.nodes.size());
  verdict.fit.fits_now = !verdict.fit.nodes.empty();
}

void fill_ahead(const PodCluster& cluster, WorkloadId id, const PodAssessment& assessment,
                Verdict& verdict) {
  if (assessment.step != Step::kOthersNomination) return;
  const auto& nodes = assessment.nodes;
  for (const auto& n : cluster.nominees()) {
    const bool there = std::find(nodes.begin(), nodes.end(), n.node) != nodes.end();
    if (n.id != id && there) verdict.ahead.push_back(n.id);
  }
}

// A pod that is bound and whose kubelet has not started it holds its node's room, and waits.
bool waits(const model::Workload& w) {
  if (!w.pod) return false;
  return model::is_pending(w) ||
         (w.pod->phase == model::PodPhase::kPending && !w.pod->node_name.empty());
}

void append(std::vector<std::string>& to, std::vector<std::string> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

PodExplainer::PodExplainer(const model::Snapshot& snapshot)
    : snapshot_(snapshot), evaluation_(snapshot), messages_(snapshot), gates_(snapshot) {}

RootCause PodExplainer::classify(WorkloadId id) {
  const auto& w = snapshot_.workload(id);
  if (!waits(w)) return RootCause::kNone;
  const auto message = messages_.of(id);
  const auto gate = gates_.gate(id, message);
  if (gate && !gate->if_it_fits) return gate->cause;
  auto [at, is_new] = known_.try_emplace(evaluation_.likeness(id));
  if (is_new) {
    const auto assessment = assess_pod(evaluation_, id, evaluation_.evaluate(id));
    at->second = {assessment.cause, assessment.step};
  }
  if (gate && at->second.second == Step::kFits) return gate->cause;
  const auto word = schedulers_word(at->second.second, *w.pod, message);
  return word ? word->first : at->second.first;
}

bool PodExplainer::fits(WorkloadId id) {
  return assess_pod(evaluation_, id, evaluation_.evaluate(id)).step == Step::kFits;
}

bool PodExplainer::starts_next(WorkloadId id) {
  const auto& w = snapshot_.workload(id);
  return waits(w) && !gates_.gate(id, messages_.of(id)) && fits(id);
}

const std::vector<NodeId>& PodExplainer::nodes_for(WorkloadId id) {
  auto [at, is_new] = nodes_for_.try_emplace(evaluation_.likeness(id));
  if (!is_new) return at->second;
  const auto answer = evaluation_.evaluate(id);
  for (std::uint32_t i = 0; i < answer.failed.size() && answer.whole_pod.empty(); ++i) {
    if (answer.may_pass({i})) at->second.push_back({i});
  }
  return at->second;
}

bool PodExplainer::room_may_go_to_others(WorkloadId id) {
  const auto& pod = *snapshot_.workload(id).pod;
  const auto& mine = nodes_for(id);
  std::size_t others = 0;
  for (auto other : snapshot_.pending()) {
    const auto& w = snapshot_.workload(other);
    if (other == id || !w.pod || !w.pod->spec || !w.pod->node_name.empty()) continue;
    if (w.pod->priority.value_or(0) < pod.priority.value_or(0)) continue;
    if (gates_.gate(other, messages_.of(other))) continue;
    const auto& theirs = nodes_for(other);
    const bool shared = std::any_of(theirs.begin(), theirs.end(), [&](NodeId node) {
      return std::binary_search(mine.begin(), mine.end(), node);
    });
    if (shared && ++others >= mine.size()) return true;
  }
  return false;
}

Verdict PodExplainer::explain(WorkloadId id) {
  const auto& w = snapshot_.workload(id);
  Verdict verdict;
  verdict.workload = id;
  if (w.pod) {
    for (auto& b : owner_chain(*snapshot_.kubernetes, *w.pod)) {
      verdict.owners.emplace_back(b.kind, std::move(b.name));
    }
  }
  verdict.scheduler_reason = w.reason_text.empty() ? w.reason.str() : w.reason_text;
  if (!waits(w)) {
    verdict.cause = RootCause::kNone;
    verdict.summary = fmt::format("It is not waiting: {}.", model::full_state(w));
    return verdict;
  }
  const auto message = messages_.of(id);
  verdict.scheduler_message = message.text;
  if (verdict.scheduler_reason.empty()) verdict.scheduler_reason = message.text;
  auto gate = gates_.gate(id, message);
  if (gate && (!gate->if_it_fits || fits(id))) {
    verdict.cause = gate->cause;
    verdict.summary = std::move(gate->summary);
    verdict.details = std::move(gate->details);
    verdict.limits = std::move(gate->limits);
    return verdict;
  }

  explain_filters(id, message, verdict);
  if (gate) append(verdict.details, std::move(gate->details));
  return verdict;
}

void PodExplainer::explain_filters(WorkloadId id, const PodMessage& message, Verdict& verdict) {
  const auto& pod = *snapshot_.workload(id).pod;
  const auto& cluster = evaluation_.cluster();
  const auto answer = evaluation_.evaluate(id);
  auto assessment = assess_pod(evaluation_, id, answer);
  const auto word = schedulers_word(assessment.step, pod, message);
  if (word) assessment.cause = word->first;
  verdict.cause = assessment.cause;
  verdict.as_scheduler = counts_as_scheduler(answer, default_filter_order());
  verdict.constraints = pod_constraints(evaluation_, id, answer);
  fill_unhealthy(cluster, *pod.spec, answer, verdict);
  fill_gpus(cluster, cluster.snapshot().workload(id), answer, verdict);
  fill_fit(answer, verdict);
  if (answer.devices) verdict.devices = answer.devices->rows();
  fill_ahead(cluster, id, assessment, verdict);
  // For one that others are being preempted for that is settled.
  if (assessment.step != Step::kFits && assessment.step != Step::kOwnNomination) {
    verdict.preemption = pod_preemption(cluster, id, answer);
    verdict.hole = pod_hole(cluster, id, answer);
  }

  const PodFindings findings{evaluation_, id, answer, assessment, message, verdict};
  verdict.summary = word
                        ? fmt::format("The scheduler says of its ResourceClaims: {}.", word->second)
                        : summarize_pod(findings);
  verdict.details = pod_details(findings);
  verdict.unsure = pod_unsure(findings);
  if (assessment.step == Step::kFits) {
    auto wake = diagnose::wake(snapshot_, id, message, assessment.nodes.size(),
                               some_nodes(cluster, assessment.nodes, 2));
    verdict.summary = std::move(wake.summary);
    append(verdict.details, std::move(wake.details));
    append(verdict.unsure, std::move(wake.unsure));
  }
  append(verdict.details, autoscaler_notes(snapshot_, id, messages_));
  // Where something was not read the counts are not complete.
  if (assessment.step == Step::kNotRead) return;
  const OwnCounts ours{cluster.node_count(), answer.whole_pod, verdict.as_scheduler,
                       !cluster.nominees().empty()};
  verdict.message_difference = diagnose::message_difference(message, ours, snapshot_.time);
  verdict.reason_difference = verdict.message_difference;
}

}  // namespace schedlens::diagnose
