// SPDX-License-Identifier: Apache-2.0
// Looks for changes that let a workload start, one after the other where one is not enough, and
// keeps those that the evaluation of the changed Snapshot bears out.

#include "diagnose/remedies.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "diagnose/remedy.h"
#include "diagnose/remedy_step.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {

using model::Snapshot;
using model::WorkloadId;

namespace {

constexpr std::size_t kMostSteps = 3;    // that together are one remedy
constexpr std::size_t kMostTrials = 24;  // copies of the Snapshot that are evaluated
// Of a longer queue, which every trial may have to walk, less is tried, and nobody is asked whom a
// remedy delays.
constexpr std::size_t kMostWaiting = 5000, kFewTrials = 6;
// What ends at once does so within a second of the Snapshot; the next moment at which the queue
// moves is rarely closer than this.
constexpr Seconds kSoon{5};

std::vector<Step> steps(const Snapshot& snapshot, const Verdict& verdict) {
  return snapshot.kubernetes ? pod_steps(snapshot, verdict) : job_steps(snapshot, verdict);
}

// A cause that stays the same may still have become a lesser one. Elsewhere the same is always said
// in other numbers; and behind others a step that leaves it there is none.
bool may_be_less(RootCause cause, const Step& step) {
  return cause != RootCause::kPriority && step.kind != RemedyKind::kElsewhere;
}

class Search {
 public:
  Search(const Snapshot& snapshot, Explainer& explainer, const RunTimes& observed, WorkloadId id)
      : snapshot_(snapshot),
        explainer_(explainer),
        observed_(observed),
        id_(id),
        most_trials_(snapshot.pending().size() > kMostWaiting ? kFewTrials : kMostTrials) {}

  std::vector<Remedy> run(const Verdict& verdict) {
    for (auto& step : steps(snapshot_, verdict)) {
      const auto who = step.who;
      std::vector<Step> path{std::move(step)};
      follow(path, who, verdict);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Remedy& a, const Remedy& b) {
      return std::pair(a.starts, a.kind) < std::pair(b.starts, b.kind);
    });
    return std::move(found_);
  }

 private:
  // Extends the path until the workload starts.
  void follow(std::vector<Step>& path, Actor who, const Verdict& before) {
    if (trials_ >= most_trials_) return;
    auto after = tried(path);
    if (after.starts) {
      if (keep_what_is_needed(path)) return;
      after = {RootCause::kPriority, false, std::move(after.whole)};
    }
    const bool same = after.cause == before.cause;
    if (same && !may_be_less(after.cause, path.back())) return;
    if (!same && after.cause == RootCause::kPriority) {
      keep(path, Starts::kInTurn);
      if (snapshot_.kubernetes) return;  // what waits there has no place in a queue to be changed
    }
    if (path.size() == kMostSteps || trials_ >= most_trials_) return;
    const auto changed = after.whole ? *after.whole : whole(path);
    const auto verdict = changed.explainer->explain(id_);
    if (same && verdict.summary == before.summary) return;
    for (auto& next : steps(*changed.snapshot, verdict)) {
      // A user cannot be told what only an operator may do; an operator may do both.
      if (who == Actor::kUser && next.who == Actor::kOperator) continue;
      if (repeats(path, next)) continue;
      const auto kept = found_.size();
      path.push_back(std::move(next));
      follow(path, who, verdict);
      path.pop_back();
      if (found_.size() > kept) return;
    }
  }

  // The changed Snapshot, evaluated.
  WhatIf whole(const std::vector<Step>& path) {
    ++trials_;
    return what_if(snapshot_, id_, edits(path));
  }

  struct Outcome {
    RootCause cause = RootCause::kUnknown;
    bool starts = false;
    std::optional<WhatIf> whole = {};
  };
  // Where the job alone changes, everybody else stands as before and need not be evaluated anew.
  Outcome tried(const std::vector<Step>& path) {
    const bool alone = std::all_of(path.begin(), path.end(), [](auto& s) { return s.change; });
    if (alone) {
      auto changed = snapshot_.workload(id_);
      for (const auto& step : path) step.change(changed);
      if (auto prospect = explainer_.as_if(id_, changed)) {
        return {prospect->cause, prospect->starts_next};
      }
    }
    auto after = whole(path);
    return {after.cause, after.starts, std::move(after)};
  }

  // A change may open the way for others, too, and then the room is planned for those ahead of it,
  // who had no plan as long as something else held them up.
  bool left_by_those_ahead(const std::vector<Step>& path) const {
    if (snapshot_.kubernetes) return true;
    const auto forecast = start_forecast(*edited(snapshot_, edits(path)), {}, id_);
    return !forecast.unknown.empty() ||
           (forecast.latest && *forecast.latest <= snapshot_.time + kSoon);
  }

  // Several that are to end do not do so in the same moment, and what the first leaves may be
  // enough for somebody else.
  bool left_by_those_who_need_less(const std::vector<Step>& path) {
    if (snapshot_.kubernetes || most_trials_ < kMostTrials) return true;
    std::vector<Edit> before;
    const auto in_order = in_order_of_doing(path);
    for (const auto& step : in_order) {
      for (auto end : step.ends) {
        if (step.ends.size() < 2) break;
        auto so_far = before;
        so_far.push_back([end](Snapshot& s) { end_workload(s, end); });
        if (anybody_starts_after(so_far)) return false;
      }
      before.push_back(step.edit);
      const bool last = &step == &in_order.back();
      if (!last && !step.change && anybody_starts_after(before)) return false;
    }
    return true;
  }

  bool anybody_starts_after(const std::vector<Edit>& edits) {
    ++trials_;
    const auto after = what_if(snapshot_, id_, edits);
    const auto& pending = snapshot_.pending();
    return std::any_of(pending.begin(), pending.end(), [&](WorkloadId id) {
      return id != id_ && !startable().contains(id) && after.explainer->starts_next(id);
    });
  }

  // A step may have made a later one known that does without it. False where the room goes to those
  // ahead of it after all.
  bool keep_what_is_needed(std::vector<Step> path) {
    for (std::size_t i = 0; i < path.size() && path.size() > 1;) {
      auto shorter = path;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      if (tried(shorter).starts) {
        path = std::move(shorter);
      } else {
        ++i;
      }
    }
    if (!left_by_those_ahead(path) || !left_by_those_who_need_less(path)) return false;
    keep(path, Starts::kNow);
    return true;
  }

  static bool repeats(const std::vector<Step>& path, const Step& next) {
    return std::any_of(path.begin(), path.end(), [&](const Step& step) {
      return step.command == next.command ||
             (step.kind == RemedyKind::kElsewhere && step.kind == next.kind);
    });
  }

  // What makes room comes after what changes the job and its place: others are waiting for it, too,
  // and between two commands the scheduler may come by.
  static std::vector<Step> in_order_of_doing(std::vector<Step> path) {
    auto turn = [](const Step& step) {
      if (step.kind == RemedyKind::kRaisePriority) return 0;
      return step.change ? 1 : 2;
    };
    std::stable_sort(path.begin(), path.end(),
                     [&](const Step& a, const Step& b) { return turn(a) < turn(b); });
    return path;
  }

  void keep(const std::vector<Step>& found, Starts starts) {
    const auto path = in_order_of_doing(found);
    Remedy remedy;
    remedy.starts = starts;
    remedy.kind = path.front().kind;
    for (const auto& step : path) {
      remedy.who = std::max(remedy.who, step.who);
      remedy.kind = std::max(remedy.kind, step.kind);
      if (!remedy.command.empty()) remedy.command += '\n';
      remedy.command += step.command;
      if (!remedy.effect.empty()) remedy.effect += ' ';
      remedy.effect += step.effect;
      remedy.ends.insert(remedy.ends.end(), step.ends.begin(), step.ends.end());
    }
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const Remedy& other) {
      return other.command == remedy.command;
    });
    if (known) return;
    if (delays_known(snapshot_, remedy)) remedy.delays = delayed(path);
    if (starts == Starts::kInTurn && most_trials_ == kMostTrials && !snapshot_.kubernetes) {
      remedy.forecast = start_forecast(*whole(path).snapshot, observed_, id_);
    }
    found_.push_back(std::move(remedy));
  }

  static std::vector<Edit> edits(const std::vector<Step>& path) {
    std::vector<Edit> all;
    for (const auto& step : path) all.push_back(step.edit);
    return all;
  }

  // The others that could start now.
  const std::set<WorkloadId>& startable() {
    if (!startable_) {
      startable_.emplace();
      for (auto id : snapshot_.pending()) {
        if (id != id_ && explainer_.starts_next(id)) startable_->insert(id);
      }
    }
    return *startable_;
  }

  // Those of them that cannot once this is done.
  std::vector<WorkloadId> delayed(const std::vector<Step>& path) {
    std::vector<WorkloadId> ids;
    if (startable().empty()) return ids;
    const auto after = whole(path);
    for (auto id : snapshot_.pending()) {
      if (startable().contains(id) && !after.explainer->starts_next(id)) ids.push_back(id);
    }
    return ids;
  }

  const Snapshot& snapshot_;
  Explainer& explainer_;  // of that
  const RunTimes& observed_;
  WorkloadId id_;
  std::vector<Remedy> found_;
  std::optional<std::set<WorkloadId>> startable_;
  std::size_t most_trials_;
  std::size_t trials_ = 0;
};

template <std::size_t N, class Enum>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum e) {
  return names[static_cast<std::size_t>(e)];
}

}  // namespace

std::string_view actor_name(Actor actor) {
  static constexpr std::array<std::string_view, 2> kNames{"user", "operator"};
  return name_of(kNames, actor);
}

std::string_view remedy_name(RemedyKind kind) {
  static constexpr std::array<std::string_view, 11> kNames{
      "wake",         "release",      "elsewhere",           "shorter_limit", "smaller_request",
      "fewer_wishes", "return_nodes", "release_reservation", "raise_limit",   "raise_priority",
      "end_workloads"};
  return name_of(kNames, kind);
}

std::string_view starts_name(Starts starts) {
  static constexpr std::array<std::string_view, 2> kNames{"now", "in_turn"};
  return name_of(kNames, starts);
}

bool delays_known(const Snapshot& snapshot, const Remedy& remedy) {
  return remedy.starts == Starts::kNow && !snapshot.kubernetes &&
         snapshot.pending().size() <= kMostWaiting;
}

std::vector<Remedy> find_remedies(const Snapshot& snapshot, Explainer& explainer,
                                  const Verdict& verdict, const RunTimes& observed) {
  if (verdict.cause == RootCause::kNone || verdict.cause == RootCause::kUnknown) return {};
  return Search(snapshot, explainer, observed, verdict.workload).run(verdict);
}

}  // namespace schedlens::diagnose
