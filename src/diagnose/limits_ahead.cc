// SPDX-License-Identifier: Apache-2.0
#include "diagnose/limits_ahead.h"

#include <algorithm>

namespace schedlens::diagnose {

using model::LimitKind;
using model::WorkloadId;

namespace {

// Of sums of fractions.
constexpr double kRounding = 1e-6;

bool only_decays(LimitKind kind) {
  return kind == LimitKind::kGrpTresMins || kind == LimitKind::kGrpWall;
}

}  // namespace

void LimitsAhead::add(WorkloadId id, const model::Workload& w, const ShapeAnswer& answer) {
  auto& wishes = wishes_[id];
  for (auto& hit : assessor_.account_limits().counting(w, answer.shape)) {
    auto [it, added] = by_key_.try_emplace(limit_key(hit), bounds_.size());
    const auto amount = hit.limit.requested;
    if (added) bounds_.push_back({std::move(hit), 0, false, {}});
    bounds_[it->second].wanted += amount * model::task_count(w);
    wishes.push_back({it->second, amount});
  }
}

LimitsAhead::Course LimitsAhead::course(const std::vector<Offset>& ends) {
  Course course;
  course.limits_ = this;
  course.changes_.resize(bounds_.size());
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    auto& bound = bounds_[i];
    if (!bound.scarce() || only_decays(bound.hit.kind)) continue;
    if (!bound.counted) bound.running = assessor_.account_limits().counted(bound.hit);
    bound.counted = true;
    for (auto [id, amount] : bound.running) course.changes_[i][ends[id.index]] -= amount;
  }
  return course;
}

// The earliest start from then on with the use at most so high for the whole run.
Offset LimitsAhead::Course::first_under(const Changes& changes, double use, double most,
                                        Offset start, Offset runs) {
  auto next = changes.begin();
  for (; next != changes.end() && next->first <= start; ++next) use += next->second;
  bool over = use > most;
  for (; next != changes.end() && (over || next->first < start + runs); ++next) {
    use += next->second;
    if (over && use <= most) start = next->first;
    over = use > most;
  }
  return over ? kNever : start;
}

Offset LimitsAhead::Course::first(WorkloadId id, Offset not_before, Offset runs) const {
  const auto wishes = limits_->wishes_.find(id);
  if (wishes == limits_->wishes_.end()) return not_before;
  auto at = not_before;
  // One limit may put it off into another's way.
  for (auto before = kNever; before != at && at < kNever;) {
    before = at;
    for (const auto& wish : wishes->second) {
      const auto& bound = limits_->bounds_[wish.bound];
      if (!bound.scarce()) continue;
      const auto most = bound.hit.limit.limit - wish.amount + kRounding;
      at = first_under(changes_[wish.bound], *bound.hit.limit.used, most, at, runs);
    }
  }
  return at;
}

void LimitsAhead::Course::take(WorkloadId id, Offset start, Offset runs) {
  const auto wishes = limits_->wishes_.find(id);
  if (wishes == limits_->wishes_.end()) return;
  for (const auto& wish : wishes->second) {
    if (!limits_->bounds_[wish.bound].scarce()) continue;
    changes_[wish.bound][start] += wish.amount;
    changes_[wish.bound][std::min(kNever, start + runs)] -= wish.amount;
  }
}

}  // namespace schedlens::diagnose
