// SPDX-License-Identifier: Apache-2.0
// Puts a Verdict together: the cause (assessment.h), the place in the queue (queue_position.h),
// and the facts and sentences that go with them.

#include "diagnose/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_text.h"
#include "diagnose/assessment.h"
#include "diagnose/constraint_list.h"
#include "diagnose/pod_explainer.h"
#include "diagnose/queue_position.h"
#include "diagnose/service_order.h"
#include "diagnose/summary.h"
#include "diagnose/taken_ahead.h"

namespace schedlens::diagnose {

using model::NodeId;
using model::Snapshot;
using model::Workload;
using model::WorkloadId;

namespace {

// The next cycle of the scheduler: nodes, limits and licences go to one after the other.
class Cycle {
 public:
  Cycle(Assessor& assessor, Plans plans)
      : walk_(assessor.evaluation(), plans),
        taken_(assessor.evaluation().snapshot(), assessor.account_limits()) {}

  Standing serve(WorkloadId id, const Workload& w, ShapeAnswer& answer, bool fits) {
    // Those that a limit stops are passed over, and hold nothing up.
    if (fits && !taken_.leaves_room(w, answer.shape)) {
      Standing passed_over;
      passed_over.room_taken = true;
      return passed_over;
    }
    auto standing = walk_.step(id, w, answer, fits);
    // Whether one behind others is backfilled is not known, so it may take of limits, too.
    if (fits && !standing.room_taken) taken_.take(w, answer.shape);
    return standing;
  }
  // It cannot start at this point, but its room is planned.
  void plan(const Workload& w) { walk_.plan(w); }

 private:
  QueueWalk walk_;
  TakenAhead taken_;
};

}  // namespace

struct Explainer::State {
  State(const Snapshot& s, Plans plans) : snapshot(s), assessor(s), cycle(assessor, plans) {
    assessments.resize(s.workloads.size());
    order.emplace(s, [this](WorkloadId id) { return assess(id).queue; });
    standings.resize(order->turns().size());
  }

  const Assessment& assess(WorkloadId id);
  const Standing& standing(WorkloadId id);
  // Absent for what the scheduler does not take up.
  std::optional<Standing> serve(Cycle& in, ServiceOrder::Turn turn);
  RootCause cause(WorkloadId id);
  // By itself, as if the other components of its group could start.
  RootCause cause_alone(WorkloadId id);
  // The other components of a heterogeneous job that wait.
  std::vector<WorkloadId> siblings(WorkloadId id) const;
  bool same_group(WorkloadId a, WorkloadId b) const;
  Prospect as_if(WorkloadId id, const Workload& changed);
  // The scheduler takes it up, and there is room for it.
  bool fits(WorkloadId id);
  // Each of them has room by itself.
  bool group_fits(WorkloadId id);

  void fill_limits(const Workload& w, const Assessment& a, Verdict& verdict);
  void fill_reservations(const Workload& w, const Assessment& a, Verdict& verdict);
  void fill_unhealthy(const Workload& w, const Assessment& a, Verdict& verdict);
  void fill_gpus(const Workload& w, const Assessment& a, Verdict& verdict);
  void fill_fit(const Workload& w, const Assessment& a, Verdict& verdict);
  // Those before it in the scheduler's order that wait for some of the nodes it may use.
  std::vector<WorkloadId> ahead(WorkloadId id);

  const Snapshot& snapshot;
  Assessor assessor;
  Cycle cycle;
  std::vector<std::optional<Assessment>> assessments;  // by WorkloadId
  std::optional<ServiceOrder> order;                   // always there
  std::vector<Standing> standings;                     // by turn
  std::size_t walked = 0;
};

const Assessment& Explainer::State::assess(WorkloadId id) {
  auto& known = assessments[id.index];
  if (!known) known = assessor.assess(snapshot.workload(id));
  return *known;
}

namespace {

// The scheduler takes it up: only nodes and the queue stand between it and its start.
bool considered(const Assessment& a) {
  return a.step == Assessment::Step::kNodes && a.answer && a.cause != RootCause::kImpossible;
}

}  // namespace

const Standing& Explainer::State::standing(WorkloadId id) {
  const auto place = order->place(id);
  for (; walked <= place; ++walked) {
    const auto turn = order->turns()[walked];
    if (auto standing = serve(cycle, turn)) standings[walked] = *standing;
  }
  return standings[place];
}

std::optional<Standing> Explainer::State::serve(Cycle& in, ServiceOrder::Turn turn) {
  const auto& a = assess(turn.id);
  const auto& w = snapshot.workload(turn.id);
  if (turn.plan_only) in.plan(w);
  if (turn.plan_only || !considered(a)) return std::nullopt;
  // A component takes no room while another one of its group keeps it from starting.
  return in.serve(turn.id, w, *a.answer, a.fits && group_fits(turn.id));
}

std::vector<WorkloadId> Explainer::State::siblings(WorkloadId id) const {
  const auto& w = snapshot.workload(id);
  std::vector<WorkloadId> others;
  if (!w.het) return others;
  for (auto other : snapshot.find_workloads(std::to_string(w.het->job_id))) {
    if (other != id && model::is_pending(snapshot.workload(other))) others.push_back(other);
  }
  return others;
}

bool Explainer::State::same_group(WorkloadId a, WorkloadId b) const {
  const auto& x = snapshot.workload(a).het;
  const auto& y = snapshot.workload(b).het;
  return x && y && x->job_id == y->job_id;
}

bool Explainer::State::fits(WorkloadId id) {
  const auto& a = assess(id);
  return considered(a) && a.fits;
}

bool Explainer::State::group_fits(WorkloadId id) {
  auto others = siblings(id);
  return std::all_of(others.begin(), others.end(), [&](WorkloadId other) { return fits(other); });
}

RootCause Explainer::State::cause_alone(WorkloadId id) {
  if (!fits(id)) return assess(id).cause;
  const auto& s = standing(id);
  if (!s.depth_limit.empty()) return RootCause::kNotConsidered;
  if (s.behind && !same_group(*s.behind, id)) return RootCause::kPriority;
  // With nobody else ahead, the room went to the rest of its own group.
  if (s.room_taken) {
    bool own_group = snapshot.workload(id).het && ahead(id).empty();
    return own_group ? RootCause::kGang : RootCause::kPriority;
  }
  return s.planned_later ? RootCause::kPriority : RootCause::kNotConsidered;
}

// The cycle is played anew as far as the changed one comes: what others are told apart by is known.
Explainer::Prospect Explainer::State::as_if(WorkloadId id, const Workload& changed) {
  const auto a = assessor.assess(changed);
  if (!considered(a) || !a.fits) return {a.cause, false};
  const auto queue = changed.queues.size() < 2 ? std::nullopt : a.queue;
  const auto end = order->end_of_turns_before(changed, queue);
  Cycle anew(assessor, Plans::kOutdated);
  for (std::size_t i = 0; i < end; ++i) {
    if (order->turns()[i].id != id) serve(anew, order->turns()[i]);
  }
  const auto standing = anew.serve(id, changed, *a.answer, true);
  if (!standing.depth_limit.empty()) return {RootCause::kNotConsidered, false};
  if (standing.behind || standing.room_taken) return {RootCause::kPriority, false};
  return {RootCause::kNotConsidered, true};
}

RootCause Explainer::State::cause(WorkloadId id) {
  if (!model::is_pending(snapshot.workload(id))) return RootCause::kNone;
  auto own = cause_alone(id);
  if (own != RootCause::kNotConsidered || !fits(id)) return own;
  auto others = siblings(id);
  bool complete = std::all_of(others.begin(), others.end(), [&](WorkloadId other) {
    return fits(other) && cause_alone(other) == RootCause::kNotConsidered;
  });
  return complete ? own : RootCause::kGang;
}

void Explainer::State::fill_limits(const Workload& w, const Assessment& a, Verdict& verdict) {
  if (auto throttle = assessor.gates().throttle(w)) verdict.limits.push_back(std::move(*throttle));
  if (!a.answer) return;
  for (auto& hit : assessor.limits(w, *a.answer)) {
    if (!hit.limit.request_alone_exceeds) {
      hit.limit.filled_by = assessor.account_limits().filled_by(hit);
    }
    verdict.limits.push_back(std::move(hit.limit));
  }
}

void Explainer::State::fill_reservations(const Workload& w, const Assessment& a, Verdict& verdict) {
  if (const auto* own = w.reservation.empty() ? nullptr : snapshot.find_reservation(w.reservation);
      own && a.cause == RootCause::kReservation && a.step == Assessment::Step::kGate) {
    verdict.reservations.push_back(
        {own->name, own->start, own->end, own->nodes, "it is the job's own and not active now"});
  }
  if (!a.answer) return;
  const auto& evaluation = assessor.evaluation();
  auto end = end_if_started_now(snapshot, w);
  for (auto r : a.answer->shape.closed_by) {
    const auto& reservation = snapshot.reservations[r];
    std::vector<NodeId> nodes;
    for (auto node : reservation.nodes) {
      auto others = evaluation.failed_on(*a.answer, w, node)
                        .without(Tests::of(Test::kReserved))
                        .without(kResourceTests);
      if (others.empty()) nodes.push_back(node);
    }
    if (nodes.empty()) continue;
    bool begun = !reservation.start || *reservation.start <= snapshot.time;
    auto effect = begun
                      ? fmt::format("{} set aside now{}", plural(nodes.size(), "node"),
                                    reservation.end ? " until " + local_time(*reservation.end) : "")
                      : fmt::format("{} set aside from {}, and the job may run {}",
                                    plural(nodes.size(), "node"), local_time(*reservation.start),
                                    end ? "until " + local_time(*end) : "for any time");
    verdict.reservations.push_back({reservation.name, reservation.start, reservation.end,
                                    std::move(nodes), std::move(effect)});
  }
}

void Explainer::State::fill_unhealthy(const Workload& w, const Assessment& a, Verdict& verdict) {
  if (!a.answer) return;
  const auto& evaluation = assessor.evaluation();
  for (std::uint32_t i = 0; i < snapshot.nodes.size(); ++i) {
    auto failed = evaluation.failed_on(*a.answer, w, {i});
    if (!failed.has(Test::kState)) continue;
    auto others = failed.without(Tests::of(Test::kState));
    if (!others.without(kResourceTests).empty()) continue;
    const auto& node = snapshot.node({i});
    verdict.unhealthy_nodes.push_back(
        {{i}, model::display_state(node), node.reason ? node.reason->text : "", others.empty()});
  }
}

void Explainer::State::fill_gpus(const Workload& w, const Assessment& a, Verdict& verdict) {
  auto& gpus = verdict.gpus;
  gpus.requested = model::gpus_requested(w);
  if (!a.answer) return;
  const auto& shape = a.answer->shape;
  if (!shape.wants_gpus()) return;
  gpus.requested = std::max(gpus.requested, shape.gpus());
  gpus.requested_per_node = shape.gpus_per_node();
  auto sums = assessor.evaluation().sums(*a.answer, w);
  gpus.free = sums.gpus.free;
  gpus.free_allocatable = sums.gpus.allocatable;
  gpus.stranded = sums.gpus.free - sums.gpus.allocatable;
  gpus.largest_hole = sums.largest_hole;
  gpus.out_of_service = sums.gpus_out;
}

void Explainer::State::fill_fit(const Workload& w, const Assessment& a, Verdict& verdict) {
  if (!a.answer) return;
  auto placement = assessor.evaluation().fit(*a.answer, w);
  verdict.fit.fits_now = placement.fits;
  verdict.fit.nodes_passing = placement.passing;
  verdict.fit.nodes_needed = a.answer->shape.min_nodes;
  if (placement.fits) verdict.fit.nodes = assessor.evaluation().nodes_of(placement, w);
}

std::vector<WorkloadId> Explainer::State::ahead(WorkloadId id) {
  const auto& a = assess(id);
  std::vector<WorkloadId> found;
  if (!considered(a)) return found;
  auto mine = assessor.evaluation().allowed_classes(*a.answer);
  for (std::size_t i = 0; i < order->place(id); ++i) {
    const auto [other, plan_only] = order->turns()[i];
    const auto& theirs = assess(other);
    if (plan_only || !considered(theirs) || same_group(id, other)) continue;
    if (mine.intersects(assessor.evaluation().allowed_classes(*theirs.answer))) {
      found.push_back(other);
    }
  }
  return found;
}

Explainer::Explainer(const Snapshot& snapshot, Plans plans) {
  if (snapshot.kubernetes) {
    pods_ = std::make_unique<PodExplainer>(snapshot);
  } else {
    state_ = std::make_unique<State>(snapshot, plans);
  }
}
Explainer::~Explainer() = default;

RootCause Explainer::classify(WorkloadId id) {
  return pods_ ? pods_->classify(id) : state_->cause(id);
}

bool Explainer::starts_next(WorkloadId id) {
  if (pods_) return pods_->starts_next(id);
  auto& s = *state_;
  return s.cause(id) == RootCause::kNotConsidered && s.fits(id) &&
         s.standing(id).depth_limit.empty();
}

bool Explainer::room_may_go_to_others(WorkloadId id) {
  return pods_ && pods_->room_may_go_to_others(id);
}

std::optional<Explainer::Prospect> Explainer::as_if(WorkloadId id, const Workload& changed) {
  if (pods_ || changed.het) return std::nullopt;
  return state_->as_if(id, changed);
}

std::vector<MissingComponent> Explainer::missing_components(WorkloadId id) {
  auto& s = *state_;
  std::vector<MissingComponent> missing;
  for (auto other : s.siblings(id)) {
    auto cause = s.cause_alone(other);
    if (s.fits(other) && (cause == RootCause::kNotConsidered || cause == RootCause::kGang))
      continue;
    missing.push_back({other, cause, explain(other).summary});
  }
  return missing;
}

Verdict Explainer::explain(WorkloadId id) {
  if (pods_) return pods_->explain(id);
  auto& s = *state_;
  const auto& w = s.snapshot.workload(id);
  Verdict verdict;
  verdict.workload = id;
  verdict.cause = s.cause(id);
  verdict.scheduler_reason = w.reason_text.empty() ? w.reason.str() : w.reason_text;
  if (verdict.cause == RootCause::kNone) {
    verdict.summary = summarize_not_waiting(s.snapshot, w);
    return verdict;
  }
  const auto& a = s.assess(id);
  s.fill_limits(w, a, verdict);
  s.fill_reservations(w, a, verdict);
  s.fill_unhealthy(w, a, verdict);
  s.fill_gpus(w, a, verdict);
  s.fill_fit(w, a, verdict);
  verdict.ahead = s.ahead(id);
  if (a.answer) {
    verdict.constraints = constraint_list(s.assessor.evaluation(), *a.answer, w);
  }
  auto standing = considered(a) ? s.standing(id) : Standing{};
  verdict.depth_limit = standing.depth_limit;
  std::vector<MissingComponent> missing;
  if (verdict.cause == RootCause::kGang) missing = missing_components(id);
  Findings findings{s.snapshot, w, s.assessor, a, standing, verdict, missing};
  verdict.summary = summarize(findings);
  verdict.details = further_details(findings);
  verdict.reason_difference = reason_difference(findings);
  verdict.unsure = not_known(findings);
  return verdict;
}

}  // namespace schedlens::diagnose
