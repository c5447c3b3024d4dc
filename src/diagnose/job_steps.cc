// SPDX-License-Identifier: Apache-2.0
// What might help a Slurm job, by the cause of its wait.

#include <fmt/format.h>

#include <iterator>

#include "base/time_text.h"
#include "diagnose/job_changes.h"
#include "diagnose/reason_text.h"
#include "diagnose/remedy_step.h"
#include "diagnose/remedy_text.h"

namespace schedlens::diagnose {

using model::Snapshot;
using model::Workload;
using model::WorkloadFlag;

namespace {

void append(std::vector<Step>& to, std::vector<Step> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

Step change_job(const Verdict& v, RemedyKind kind, std::string command, std::string effect,
                const std::function<void(Workload&)>& change) {
  Step step;
  step.kind = kind;
  step.command = std::move(command);
  step.effect = std::move(effect);
  step.edit = [id = v.workload, change](Snapshot& s) { change(s.workloads[id.index]); };
  step.change = change;
  return step;
}

// The scheduler no longer says so; what else it said, such as a hold, stays. A job that is not
// eligible yet may show no priority, and has one then.
void forget_reason(Workload& w, std::string_view word) {
  if (!reason_word(w.reason.view()).starts_with(word)) return;
  w.reason = Symbol("None");
  w.reason_text.clear();
  if (w.priority && *w.priority == 0) w.priority = 1;
}

// A released job is given a priority anew; the last place is the worst that can come of it.
void forget_hold(Workload& w) {
  w.priority = 1;
  w.reason = Symbol("None");
  w.reason_text.clear();
  w.flags.clear(WorkloadFlag::kRequeueHold);
  w.flags.clear(WorkloadFlag::kSpecialExit);
}

std::vector<Step> release(const Workload& w, const Verdict& v) {
  auto step = change_job(v, RemedyKind::kRelease, "scontrol release " + update_id(w),
                         "The job is released and considered in the next cycle.", forget_hold);
  const auto word = reason_word(w.reason.view());
  step.who = word == "JobHeldUser" || word == "BadConstraints" ? Actor::kUser : Actor::kOperator;
  return {std::move(step)};
}

std::vector<Step> drop_dependency(const Workload& w, const Verdict& v) {
  return {change_job(v, RemedyKind::kRelease, update_job(w, "Dependency", ""),
                     fmt::format("The job no longer waits for {}.", w.dependency),
                     [](Workload& job) {
                       job.dependency.clear();
                       forget_reason(job, "Dependency");
                     })};
}

std::vector<Step> begin_now(const Snapshot& s, const Workload& w, const Verdict& v) {
  return {change_job(v, RemedyKind::kRelease, update_job(w, "StartTime", "now"),
                     "The job may start at once.", [now = s.time](Workload& job) {
                       job.eligible = now;
                       job.start.reset();
                       forget_reason(job, "BeginTime");
                     })};
}

// What helps the first component of its group that cannot start.
std::vector<Step> for_components(const Snapshot& s, const Workload& w, const Verdict& v) {
  if (!w.het) return {};
  Explainer explainer(s);
  for (auto other : s.find_workloads(std::to_string(w.het->job_id))) {
    if (other == v.workload || !model::is_pending(s.workload(other))) continue;
    const auto verdict = explainer.explain(other);
    if (verdict.cause == RootCause::kGang || verdict.cause == RootCause::kNotConsidered) continue;
    return job_steps(s, verdict);
  }
  return {};
}

}  // namespace

std::vector<Step> job_steps(const Snapshot& snapshot, const Verdict& v) {
  const auto& w = snapshot.workload(v.workload);
  std::vector<Step> steps;
  switch (v.cause) {
    case RootCause::kHold:
      return release(w, v);
    case RootCause::kDependency:
      return drop_dependency(w, v);
    case RootCause::kBeginTime:
      return begin_now(snapshot, w, v);
    case RootCause::kLimit:
      append(steps, elsewhere(snapshot, v));
      append(steps, within_limits(snapshot, v));
      append(steps, raised_limits(snapshot, v));
      append(steps, ended_under_limits(snapshot, v));
      break;
    case RootCause::kReservation:
      append(steps, shorter_limit(snapshot, v));
      append(steps, elsewhere(snapshot, v));
      append(steps, released_reservations(snapshot, v));
      break;
    case RootCause::kConstraint:
      append(steps, fewer_wishes(snapshot, v));
      append(steps, elsewhere(snapshot, v));
      append(steps, ended_workloads(snapshot, v));
      break;
    case RootCause::kUnhealthyNodes:
      append(steps, elsewhere(snapshot, v));
      append(steps, smaller_request(snapshot, v));
      append(steps, fewer_wishes(snapshot, v));
      append(steps, returned_nodes(snapshot, v));
      break;
    case RootCause::kFragmentation:
    case RootCause::kCapacity:
      append(steps, elsewhere(snapshot, v));
      append(steps, smaller_request(snapshot, v));
      append(steps, returned_nodes(snapshot, v));
      append(steps, ended_workloads(snapshot, v));
      break;
    case RootCause::kLicence:
      append(steps, ended_holders(snapshot, v));
      break;
    case RootCause::kGang:
      append(steps, for_components(snapshot, w, v));
      break;
    case RootCause::kPriority:
      append(steps, shorter_limit(snapshot, v));
      append(steps, elsewhere(snapshot, v));
      append(steps, raised_priority(snapshot, v));
      break;
    case RootCause::kNotConsidered:
      append(steps, raised_priority(snapshot, v));
      break;
    case RootCause::kImpossible:
      append(steps, elsewhere(snapshot, v));
      append(steps, fewer_wishes(snapshot, v));
      append(steps, smaller_request(snapshot, v));
      break;
    default:
      break;
  }
  return steps;
}

}  // namespace schedlens::diagnose
