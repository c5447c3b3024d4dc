// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_end.h"

#include <algorithm>

#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::diagnose {

using model::WorkloadId;

PodEnds::PodEnds(const model::Snapshot& snapshot) : snapshot_(snapshot), owners_(snapshot) {
  const auto& kubernetes = *snapshot.kubernetes;
  if (kubernetes.controllers) {
    for (const auto& c : *kubernetes.controllers) {
      if (c.deadline) job_deadlines_.emplace(c.uid, *c.deadline);
    }
  }
  for (const auto& w : snapshot.workloads) observe(w);
  for (const auto& w : kubernetes.gone_pods) observe(w);
  for (auto& [owner, times] : run_times_) std::sort(times.begin(), times.end());
}

// What failed or was ended says nothing of how long the others take.
void PodEnds::observe(const model::Workload& w) {
  if (!w.pod || !w.pod->owner || w.pod->phase != model::PodPhase::kSucceeded) return;
  if (w.start && w.end && *w.start <= *w.end) {
    run_times_[owners_.of(w)].push_back(*w.end - *w.start);
  }
}

std::optional<Timestamp> PodEnds::deadline(const model::Workload& w) const {
  const auto& pod = *w.pod;
  std::optional<Timestamp> first = pod.deleting;  // which counts the grace
  auto or_at = [&](Timestamp moment) { first = first ? std::min(*first, moment) : moment; };
  if (w.start && pod.spec->run_limit) or_at(*w.start + *pod.spec->run_limit);
  if (pod.owner) {
    if (auto job = job_deadlines_.find(pod.owner->uid); job != job_deadlines_.end()) {
      or_at(job->second);
    }
  }
  return first;
}

PodEnd PodEnds::of(WorkloadId id) const {
  const auto& w = snapshot_.workload(id);
  PodEnd end;
  end.latest = deadline(w);
  // One that should be over already says nothing.
  if (end.latest && *end.latest < snapshot_.time) end.latest.reset();
  if (!w.start || !w.pod->owner) return end;
  const auto known = run_times_.find(owners_.of(w));
  if (known == run_times_.end()) return end;
  const auto& times = known->second;
  const auto longer = std::upper_bound(times.begin(), times.end(), snapshot_.time - *w.start);
  if (longer == times.end()) return end;
  end.observed = static_cast<std::size_t>(times.end() - longer);
  end.expected = *w.start + longer[(times.end() - longer) / 2];
  if (end.latest) end.expected = std::min(*end.expected, *end.latest);
  return end;
}

PodEnd PodEnds::of(const std::vector<WorkloadId>& ids) const {
  PodEnd last;
  bool all_latest = !ids.empty(), all_expected = !ids.empty();
  auto later = [](std::optional<Timestamp>& of, Timestamp other) {
    if (!of || *of < other) of = other;
  };
  for (auto id : ids) {
    const auto one = of(id);
    all_latest = all_latest && one.latest;
    if (one.latest) later(last.latest, *one.latest);
    const auto expected = one.expected ? one.expected : one.latest;
    all_expected = all_expected && expected;
    if (expected) later(last.expected, *expected);
    last.observed += one.observed;
  }
  if (!all_latest) last.latest.reset();
  if (!all_expected || last.observed == 0) last.expected.reset();
  if (!last.expected) last.observed = 0;
  return last;
}

}  // namespace schedlens::diagnose
