// SPDX-License-Identifier: Apache-2.0
#include "diagnose/taken_ahead.h"

#include <algorithm>

namespace schedlens::diagnose {

using model::LimitKind;
using model::Workload;

namespace {

// What has been used up in the past; whoever starts now adds to it only as he runs.
bool counts_the_past(const LimitHit& hit) {
  return hit.kind == LimitKind::kGrpTresMins || hit.kind == LimitKind::kGrpWall;
}

}  // namespace

bool TakenAhead::leaves_room(const Workload& w, const Shape& shape) const {
  if (taken_.empty() && licences_.empty()) return true;
  const auto counting = limits_.counting(w, shape);
  return leaves_licences(w) &&
         std::none_of(counting.begin(), counting.end(), [&](const LimitHit& hit) {
           const auto it = taken_.find(limit_key(hit));
           if (it == taken_.end() || counts_the_past(hit)) return false;
           const auto& l = hit.limit;
           return l.used.value_or(0) + it->second + l.requested > l.limit;
         });
}

// Of alternatives it is not said which it takes.
bool TakenAhead::leaves_licences(const Workload& w) const {
  if (w.request.any_licence) return true;
  return std::none_of(w.request.licences.begin(), w.request.licences.end(), [&](const auto& asked) {
    const auto it = licences_.find(asked.name);
    if (it == licences_.end()) return false;
    return std::any_of(snapshot_.licences.begin(), snapshot_.licences.end(), [&](const auto& l) {
      return l.name == asked.name &&
             l.used + l.deficit.value_or(0) + it->second + asked.count > l.total;
    });
  });
}

void TakenAhead::take(const Workload& w, const Shape& shape) {
  const auto tasks = model::task_count(w);
  for (const auto& hit : limits_.counting(w, shape)) {
    taken_[limit_key(hit)] += hit.limit.requested * static_cast<double>(tasks);
  }
  if (w.request.any_licence) return;
  for (const auto& asked : w.request.licences) licences_[asked.name] += asked.count * tasks;
}

}  // namespace schedlens::diagnose
