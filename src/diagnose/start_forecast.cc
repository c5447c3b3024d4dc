// SPDX-License-Identifier: Apache-2.0
#include "diagnose/start_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "diagnose/assessment.h"
#include "diagnose/limits_ahead.h"
#include "diagnose/room_ahead.h"

namespace schedlens::diagnose {

using model::Snapshot;
using model::Workload;
using model::WorkloadId;
using Step = Assessment::Step;

namespace {

constexpr std::uint32_t kMostTasks = 1000;  // of one array record that are booked one by one
// Courses are fewer where each costs more: nodes times shapes that a course may look at.
constexpr std::size_t kMostWork = 4'000'000, kFewestCourses = 8;

// One that is booked: where, and from when on.
struct Waiting {
  WorkloadId id;
  ShapeAnswer* answer = nullptr;
  Offset not_before = 0;
  std::optional<Seconds> limit;
};

// Whole numbers that look drawn, of [0, 1).
double drawn(std::uint64_t job, std::uint64_t course) {
  auto x = job * 0x9e3779b97f4a7c15 + course * 0xd1b54a32d192ed03;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

std::string_view cannot_tell(const Workload& w, const Assessment& a) {
  switch (a.cause) {
    case RootCause::kHold:
      return "it is held, and nobody knows until when";
    case RootCause::kDependency:
      return "it waits for other jobs to end as it wants";
    case RootCause::kImpossible:
      return "it cannot start as asked";
    case RootCause::kLicence:
      return "it waits for licences, and when they are given back is not known";
    default:
      break;
  }
  if (w.het)
    return "all components of a heterogeneous job must start together, which is not followed";
  if (a.step == Step::kAccess || a.step == Step::kSuspended || a.step == Step::kNoPartition) {
    return "its partition does not take it";
  }
  if (a.step == Step::kSchedulerReason) return "only the scheduler knows what it waits for";
  if (a.step == Step::kGate && a.cause == RootCause::kLimit) {
    return "its array runs as many tasks as it may";
  }
  if (!a.answer) return "no partition is known for it";
  if (a.answer->shape.shares_cpus) return "it shares CPUs with others, which is not followed";
  return {};
}

class Play {
 public:
  Play(const Snapshot& snapshot, const RunTimes& observed, const StartForecasts::Options& options)
      : snapshot_(snapshot),
        observed_(observed),
        assessor_(snapshot),
        held_(assessor_.evaluation()),
        limits_(assessor_) {
    for (auto id : snapshot.pending()) {
      if (forecasts_.size() >= options.most_waiting) break;
      consider(id);
      if (options.up_to && *options.up_to == id) break;
    }
    courses_ = observed.size() > 0 ? courses(options.courses) : 1;
  }

  std::unordered_map<WorkloadId, StartForecast> run() {
    std::vector<std::vector<Offset>> starts(waiting_.size());
    for (std::size_t course = 0; course < courses_; ++course) play(course, starts);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      conclude(forecasts_[waiting_[i].id], starts[i]);
    }
    return std::move(forecasts_);
  }

 private:
  void consider(WorkloadId id) {
    const auto& w = snapshot_.workload(id);
    const auto a = assessor_.assess(w);
    auto& forecast = forecasts_[id];
    forecast.observed = observed_.size();
    forecast.unknown = cannot_tell(w, a);
    if (forecast.unknown.empty() && a.step == Step::kLimits && exceeds_alone(w, *a.answer)) {
      forecast.unknown = "its request alone exceeds a limit";
    }
    if (!forecast.unknown.empty()) return;
    Waiting waiting{id, a.answer, 0, run_limit(snapshot_, w)};
    if (w.eligible) waiting.not_before = (*w.eligible - snapshot_.time).value;
    if (auto own = assessor_.evaluation().reservations().own_starts_later(w)) {
      waiting.not_before = std::max(waiting.not_before, (*own - snapshot_.time).value);
    }
    waiting.not_before = std::max<Offset>(0, waiting.not_before);
    limits_.add(id, w, *a.answer);
    waiting_.push_back(waiting);
  }

  bool exceeds_alone(const Workload& w, const ShapeAnswer& answer) const {
    const auto hits = assessor_.limits(w, answer);
    return std::any_of(hits.begin(), hits.end(),
                       [](const LimitHit& hit) { return hit.limit.request_alone_exceeds; });
  }

  std::size_t courses(std::size_t wanted) {
    const auto work =
        std::max<std::size_t>(1, snapshot_.nodes.size() * assessor_.evaluation().shapes());
    return std::clamp(kMostWork / work, std::min(kFewestCourses, wanted), wanted);
  }

  Offset runs(const Workload& w, std::optional<Seconds> limit, Seconds elapsed,
              std::size_t course) const {
    if (!limit) return kNever;
    const auto all = observed_.draw(w, *limit, elapsed, drawn(w.job_id, course));
    return (all ? *all : *limit).value;
  }

  // When everything that runs ends. What is over its limit does so any moment.
  std::vector<Offset> ends(std::size_t course) const {
    std::vector<Offset> ends(snapshot_.workloads.size(), kNever);
    for (std::uint32_t i = 0; i < snapshot_.workloads.size(); ++i) {
      const auto& w = snapshot_.workload({i});
      if (!model::holds_resources(w)) continue;
      if (w.flags.has(model::WorkloadFlag::kCompleting)) {
        ends[i] = 1;
        continue;
      }
      if (!w.start || w.state == model::WorkloadState::kSuspended) continue;
      const auto elapsed = snapshot_.time - *w.start;
      const auto all = runs(w, run_limit(snapshot_, w), elapsed, course);
      ends[i] = all >= kNever ? kNever : std::max<Offset>(1, all - elapsed.value);
    }
    return ends;
  }

  void play(std::size_t course, std::vector<std::vector<Offset>>& starts) {
    const auto ends = this->ends(course);
    RoomAhead room(assessor_.evaluation(), held_, ends);
    auto limits = limits_.course(ends);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const auto& next = waiting_[i];
      const auto& w = snapshot_.workload(next.id);
      const auto length = runs(w, next.limit, {0}, course);
      const auto tasks = std::min(model::task_count(w), kMostTasks);
      for (std::uint32_t task = 0; task < tasks; ++task) {
        const auto start = book(room, limits, next, length);
        if (task == 0) starts[i].push_back(start);
        if (start >= kNever) break;
      }
    }
  }

  // Nodes and limits in turn put it off until both agree.
  Offset book(RoomAhead& room, LimitsAhead::Course& limits, const Waiting& next,
              Offset length) const {
    const auto& w = snapshot_.workload(next.id);
    const auto from = limits.first(next.id, next.not_before, length);
    if (from >= kNever) return kNever;
    const auto start = room.book(w, *next.answer, from, length).value_or(kNever);
    if (start < kNever) limits.take(next.id, start, length);
    return start;
  }

  void conclude(StartForecast& forecast, std::vector<Offset>& starts) const {
    std::sort(starts.begin(), starts.end());
    auto at = [&](double part) -> std::optional<Timestamp> {
      const auto last = static_cast<double>(starts.size() - 1);
      const auto start = starts[static_cast<std::size_t>(part * last + 0.5)];
      if (start >= kNever) return std::nullopt;
      return snapshot_.time + Seconds{start};
    };
    forecast.latest = at(0.9);
    if (observed_.size() > 0) {
      forecast.earliest = at(0.1);
      forecast.expected = at(0.5);
    }
    if (!forecast.latest && !forecast.earliest) {
      forecast.unknown = "what it needs is held by work without an end in sight";
    }
  }

  const Snapshot& snapshot_;
  const RunTimes& observed_;
  Assessor assessor_;
  HeldNow held_;
  LimitsAhead limits_;
  std::vector<Waiting> waiting_;  // in the order of the queue
  std::unordered_map<WorkloadId, StartForecast> forecasts_;
  std::size_t courses_ = 1;
};

}  // namespace

StartForecasts::StartForecasts(const Snapshot& snapshot, const RunTimes& observed,
                               const Options& options) {
  if (!snapshot.kubernetes) {
    forecasts_ = Play(snapshot, observed, options).run();
    return;
  }
  for (auto id : snapshot.pending()) {
    forecasts_[id].unknown = "pods have no time limit, so when room gets free is not known";
  }
}

const StartForecast* StartForecasts::find(WorkloadId id) const {
  const auto it = forecasts_.find(id);
  return it == forecasts_.end() ? nullptr : &it->second;
}

StartForecast start_forecast(const Snapshot& snapshot, const RunTimes& observed, WorkloadId id) {
  StartForecast none;
  if (!model::is_pending(snapshot.workload(id))) {
    none.unknown = "it does not wait";
    return none;
  }
  StartForecasts::Options options;
  options.up_to = id;
  StartForecasts forecasts(snapshot, observed, options);
  if (const auto* forecast = forecasts.find(id)) return *forecast;
  none.unknown = fmt::format("only the first {} in the queue are followed", options.most_waiting);
  return none;
}

}  // namespace schedlens::diagnose
