// SPDX-License-Identifier: Apache-2.0
#include "diagnose/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/time_text.h"
#include "diagnose/constraint_list.h"
#include "diagnose/reason_text.h"

namespace schedlens::diagnose {

using model::Workload;
using model::WorkloadFlag;

namespace {

bool held(const Workload& w) {
  auto word = reason_word(w.reason.view());
  if (word == "JobHeldUser" || word == "JobHeldAdmin" || word == "JobHoldMaxRequeue") return true;
  if (w.flags.has(WorkloadFlag::kRequeueHold) || w.flags.has(WorkloadFlag::kSpecialExit)) {
    return true;
  }
  // Priority 0 is Slurm's way to hold; jobs that are not eligible yet keep a number of their own.
  return w.priority && *w.priority == 0 && word != "Dependency" && word != "BeginTime" &&
         word != "DependencyNeverSatisfied";
}

// Slurm waits for all that run and for those submitted before.
bool another_of_its_name(const model::Snapshot& snapshot, const Workload& w) {
  return std::any_of(snapshot.workloads.begin(), snapshot.workloads.end(), [&](const Workload& o) {
    if (o.job_id == w.job_id || o.user != w.user || o.name != w.name) return false;
    return model::holds_resources(o) || (model::is_pending(o) && o.job_id < w.job_id);
  });
}

bool depends(const model::Snapshot& snapshot, const Workload& w) {
  auto word = reason_word(w.reason.view());
  if (word == "Dependency" || word == "DependencyNeverSatisfied") return true;
  // Of a job on hold Slurm does not look at what it depends on.
  if (w.dependency == "singleton(unfulfilled)") return another_of_its_name(snapshot, w);
  return w.dependency.find("(unfulfilled)") != std::string::npos ||
         w.dependency.find("(failed)") != std::string::npos;
}

bool begins_later(const model::Snapshot& snapshot, const Workload& w) {
  if (w.eligible) return *w.eligible > snapshot.time;
  return reason_word(w.reason.view()) == "BeginTime";
}

bool reservation_gone(const Workload& w, const ReservationTests& reservations) {
  auto word = reason_word(w.reason.view());
  return word == "ReservationDeleted" || word == "ReservationInvalid" ||
         w.flags.has(WorkloadFlag::kReservationDeletedHold) || reservations.own_is_gone(w);
}

// "afterok:12(unfulfilled)" names job 12.
std::vector<std::string> parents(const std::string& dependency) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < dependency.size();) {
    if (dependency[i] != ':') {
      ++i;
      continue;
    }
    auto end = dependency.find_first_not_of("0123456789_*", ++i);
    auto id = dependency.substr(i, end == std::string::npos ? end : end - i);
    if (!id.empty()) ids.push_back(id.substr(0, id.find("_*")));
    i = std::min(end, dependency.size());
  }
  return ids;
}

std::string describe_parent(const model::Snapshot& snapshot, const std::string& id) {
  auto found = snapshot.find_workloads(id);
  if (found.empty()) return fmt::format("job {} is not in the queue any more", id);
  const auto& parent = snapshot.workload(found.front());
  auto text =
      fmt::format("job {} of {} is {}", id, parent.user.view(), lower(model::full_state(parent)));
  if (model::holds_resources(parent) && parent.end) {
    text += fmt::format(" until {} at the latest", local_time(*parent.end));
  } else if (model::is_pending(parent)) {
    text += fmt::format(" ({})", parent.reason.view());
  }
  return text;
}

std::string hold_summary(const Workload& w) {
  auto word = reason_word(w.reason.view());
  if (word == "JobHeldUser") return fmt::format("held by its user; to go on, release it");
  if (word == "JobHoldMaxRequeue" || w.flags.has(WorkloadFlag::kRequeueHold) ||
      w.flags.has(WorkloadFlag::kSpecialExit)) {
    return fmt::format("held after being requeued ({} restarts); to go on, release it", w.restarts);
  }
  if (word == "JobHeldAdmin") return "held by an administrator, who must release it";
  if (held_for_constraints(w)) {
    return "held by the scheduler because no nodes satisfied its constraints; it is not tried "
           "again until it is released or changed";
  }
  return "held: its priority is 0";
}

}  // namespace

bool held_for_constraints(const Workload& w) {
  return reason_word(w.reason.view()) == "BadConstraints" && w.priority && *w.priority == 0;
}

Gates::Gates(const model::Snapshot& snapshot, const ReservationTests& reservations)
    : snapshot_(snapshot), reservations_(reservations) {
  for (const auto& w : snapshot.workloads) {
    if (w.array && model::holds_resources(w)) ++running_tasks_[w.array->job_id];
  }
}

std::uint32_t Gates::running_tasks(const Workload& w) const {
  auto it = running_tasks_.find(w.array->job_id);
  return it == running_tasks_.end() ? 0 : it->second;
}

bool Gates::throttled(const Workload& w) const {
  if (!w.array) return false;
  if (w.array->max_running && *w.array->max_running > 0) {
    return running_tasks(w) >= *w.array->max_running;
  }
  return reason_word(w.reason.view()) == "JobArrayTaskLimit";
}

RootCause Gates::cause(const Workload& w) const {
  if (reservation_gone(w, reservations_)) return RootCause::kReservation;
  if (held(w)) return RootCause::kHold;
  if (depends(snapshot_, w)) return RootCause::kDependency;
  if (throttled(w)) return RootCause::kLimit;
  if (begins_later(snapshot_, w)) return RootCause::kBeginTime;
  if (reservations_.own_starts_later(w)) return RootCause::kReservation;
  return RootCause::kNone;
}

std::optional<ReachedLimit> Gates::throttle(const Workload& w) const {
  if (cause(w) != RootCause::kLimit) return std::nullopt;
  ReachedLimit limit;
  limit.holder = fmt::format("array {}", w.array->job_id);
  limit.name = "ArrayTaskThrottle";
  limit.unit = "jobs";
  limit.limit = w.array->max_running.value_or(running_tasks(w));
  limit.used = running_tasks(w);
  limit.requested = 1;
  for (const auto& other : snapshot_.workloads) {
    if (other.array && other.array->job_id == w.array->job_id && model::holds_resources(other)) {
      limit.filled_by.push_back({fmt::format("job {}", model::display_id(other)), 1});
    }
  }
  return limit;
}

std::string Gates::summary(const Workload& w) const {
  switch (cause(w)) {
    case RootCause::kHold:
      return hold_summary(w);
    case RootCause::kDependency:
      if (w.dependency.find("(failed)") != std::string::npos ||
          w.reason.view() == "DependencyNeverSatisfied") {
        return fmt::format(
            "its dependency {} can never be satisfied; without a change it waits "
            "for ever",
            w.dependency);
      }
      return w.dependency.empty() ? "waits for another job"
                                  : fmt::format("waits for {}", w.dependency);
    case RootCause::kBeginTime:
      if (!w.eligible) return "its earliest start is in the future";
      return fmt::format("may not start before {} (in {})", local_time(*w.eligible),
                         short_duration(*w.eligible - snapshot_.time));
    case RootCause::kLimit:
      return fmt::format("array {} runs {} at a time, and {} {}", w.array->job_id,
                         plural(w.array->max_running.value_or(running_tasks(w)), "task"),
                         running_tasks(w), running_tasks(w) == 1 ? "runs" : "run");
    case RootCause::kReservation:
      if (auto start = reservations_.own_starts_later(w)) {
        return fmt::format("its reservation {} begins at {} (in {})", w.reservation.view(),
                           local_time(*start), short_duration(*start - snapshot_.time));
      }
      return w.reservation.empty()
                 ? "its reservation is gone"
                 : fmt::format("its reservation {} is over or deleted", w.reservation.view());
    default:
      return {};
  }
}

std::vector<std::string> Gates::details(const Workload& w) const {
  std::vector<std::string> details;
  if (cause(w) != RootCause::kDependency) return details;
  for (const auto& id : parents(w.dependency)) {
    details.push_back(describe_parent(snapshot_, id));
  }
  if (w.dependency.find("singleton") != std::string::npos) {
    details.push_back("it waits until no other job of the same name and user is active");
  }
  return details;
}

}  // namespace schedlens::diagnose
