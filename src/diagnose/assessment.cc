// SPDX-License-Identifier: Apache-2.0
#include "diagnose/assessment.h"

#include <algorithm>

#include "diagnose/licence_tests.h"
#include "diagnose/partition_limits.h"
#include "diagnose/reason_text.h"

namespace schedlens::diagnose {

using model::Workload;
using Step = Assessment::Step;

namespace {

// Reasons that only the scheduler can know of.
bool only_scheduler_knows(std::string_view word) {
  constexpr std::string_view kWords[] = {"InvalidAccount",
                                         "InvalidQOS",
                                         "QOSUsageThreshold",
                                         "AccountingPolicy",
                                         "Cleaning",
                                         "Prolog",
                                         "FedJobLock",
                                         "DeadLine",
                                         "SchedDefer",
                                         "BurstBufferStageIn",
                                         "BurstBufferResources",
                                         "BurstBufferOperation",
                                         "MpiPortsBusy",
                                         "NvidiaImexChannels",
                                         "MaxPoweredUpNodes"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// How far from starting: the queue with the smallest counts.
int distance(const Assessment& a) {
  if (a.fits && a.step == Step::kNodes) return 0;
  switch (a.step) {
    case Step::kNodes:
      return a.cause == RootCause::kImpossible ? 5 : 1;
    case Step::kLicence:
      return a.cause == RootCause::kImpossible ? 5 : 2;
    case Step::kLimits:
      return 3;
    case Step::kSuspended:
    case Step::kAccess:
      return 4;
    default:
      return 6;
  }
}

}  // namespace

bool is_access_rule(const LimitHit& hit) {
  return hit.kind == model::LimitKind::kCount && hit.limit.limit == 0 && hit.limit.requested == 0;
}

Assessor::Assessor(const model::Snapshot& snapshot)
    : snapshot_(snapshot),
      evaluation_(snapshot),
      gates_(snapshot, evaluation_.reservations()),
      account_limits_(snapshot) {}

std::vector<LimitHit> Assessor::limits(const Workload& w, const ShapeAnswer& answer) const {
  auto hits = partition_limits(snapshot_, w, answer.shape);
  auto accounts = account_limits_.reached(w, answer.shape);
  hits.insert(hits.end(), std::make_move_iterator(accounts.begin()),
              std::make_move_iterator(accounts.end()));
  return hits;
}

bool Assessor::required_out_of_service(const Workload& w) const {
  const auto& nodes = w.request.required_nodes;
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](model::NodeId node) { return !model::in_service(snapshot_.node(node)); });
}

bool Assessor::enough_in_sum(const Shape& shape, const Sums& sums) {
  if (sums.nodes == 0) return false;
  for (std::size_t i = 0; i < shape.devices.size() && i < kMostDeviceKinds; ++i) {
    const auto& d = shape.devices[i];
    if (sums.devices[i] < std::max(d.per_job, d.per_node * shape.min_nodes)) return false;
  }
  // GPUs that are free without CPUs or memory are stranded, which is fragmentation too.
  if (shape.wants_gpus()) return true;
  auto cpus =
      std::max<std::uint64_t>(shape.cpus, std::uint64_t{shape.cpus_per_node} * shape.min_nodes);
  if (shape.whole_nodes) {
    cpus = std::max(cpus, std::uint64_t{sums.fewest_cpus} * shape.min_nodes);
  }
  auto memory = shape.memory_on_node() * shape.min_nodes;
  return sums.cpus >= cpus && sums.memory >= memory;
}

bool Assessor::provably_impossible(const Workload& w, ShapeAnswer& answer) {
  if (!answer.features->understood()) return false;
  return !evaluation_.possible(answer, w);
}

RootCause Assessor::without_room(const Workload& w, ShapeAnswer& answer) {
  auto fits_without = [&](Tests tests) { return evaluation_.fit(answer, w, tests).fits; };
  if (!answer.shape.closed_by.empty() && fits_without(Tests::of(Test::kReserved))) {
    return RootCause::kReservation;
  }
  auto sums = evaluation_.sums(answer, w);
  bool enough = enough_in_sum(answer.shape, sums);
  if (sums.nodes_out > 0 && sums.nodes < answer.shape.min_nodes) {
    return RootCause::kUnhealthyNodes;
  }
  if ((!enough || required_out_of_service(w)) && fits_without(Tests::of(Test::kState))) {
    return RootCause::kUnhealthyNodes;
  }
  if ((!answer.shape.features.empty() || has_node_lists(w)) && fits_without(kOwnChoiceTests)) {
    return RootCause::kConstraint;
  }
  return enough ? RootCause::kFragmentation : RootCause::kCapacity;
}

Assessment Assessor::in_queue(const Workload& w, model::QueueId queue) {
  Assessment a;
  a.queue = queue;
  auto& answer = evaluation_.answer(w, queue);
  a.answer = &answer;
  a.fits = evaluation_.fit(answer, w).fits;
  auto conclude = [&](RootCause cause, Step step) {
    a.cause = cause;
    a.step = step;
    return a;
  };
  if (suspended(snapshot_.queue(queue))) return conclude(RootCause::kLimit, Step::kSuspended);
  auto hits = limits(w, answer);
  if (std::any_of(hits.begin(), hits.end(), is_access_rule)) {
    return conclude(RootCause::kConstraint, Step::kAccess);
  }
  if (std::any_of(hits.begin(), hits.end(),
                  [](const LimitHit& h) { return h.limit.request_alone_exceeds; })) {
    return conclude(RootCause::kLimit, Step::kLimits);
  }
  if (!a.fits && provably_impossible(w, answer)) {
    return conclude(RootCause::kImpossible, Step::kNodes);
  }
  auto licences = missing_licences(snapshot_, w);
  if (std::any_of(licences.begin(), licences.end(), [](const auto& l) { return l.never(); })) {
    return conclude(RootCause::kImpossible, Step::kLicence);
  }
  if (!hits.empty()) return conclude(RootCause::kLimit, Step::kLimits);
  // Without limits to look at, the scheduler's word on them is all there is.
  if (account_limits_.unknown() && is_account_limit(w.reason.view())) {
    return conclude(RootCause::kLimit, Step::kSchedulerReason);
  }
  if (!licences.empty()) return conclude(RootCause::kLicence, Step::kLicence);
  if (a.fits) return conclude(RootCause::kPriority, Step::kNodes);
  return conclude(without_room(w, answer), Step::kNodes);
}

Assessment Assessor::assess(const Workload& w) {
  Assessment best;
  best.step = Step::kNoPartition;
  for (auto name : w.queues) {
    auto queue = snapshot_.find_queue(name);
    if (!queue) continue;
    auto here = in_queue(w, *queue);
    if (best.step == Step::kNoPartition || distance(here) < distance(best)) best = here;
  }
  auto gate = gates_.cause(w);
  if (gate == RootCause::kHold && held_for_constraints(w)) {
    // Put on hold because it was impossible then: what counts is whether it still is.
    if (best.cause == RootCause::kImpossible) return best;
  }
  if (gate != RootCause::kNone) {
    best.cause = gate;
    best.step = Step::kGate;
    return best;
  }
  auto word = reason_word(w.reason.view());
  if (only_scheduler_knows(word)) {
    best.cause = reason_meaning(word).cause;
    best.step = Step::kSchedulerReason;
  }
  return best;
}

}  // namespace schedlens::diagnose
