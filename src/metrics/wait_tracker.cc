// SPDX-License-Identifier: Apache-2.0
#include "metrics/wait_tracker.h"

#include <functional>
#include <string>

#include "model/kubernetes.h"
#include "model/pod.h"
#include "model/started.h"

namespace schedlens::metrics {
namespace {

constexpr double kBounds[] = {1,    10,    60,    300,   900,    1800,   3600,
                              7200, 14400, 28800, 86400, 259200, 604800, 1209600};

// A start that a Snapshot no longer shows is remembered this long, in case it shows it again.
constexpr Seconds kGrace{3600};

}  // namespace

// Pods have no number; their uid tells them apart.
WaitTracker::Start WaitTracker::start_of(const model::Workload& w) {
  const std::uint64_t who = w.pod ? std::hash<std::string>()(w.pod->uid) : w.job_id;
  return {who, w.start->unix_seconds};
}

std::size_t WaitTracker::StartHash::operator()(const Start& start) const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  return (start.who ^ static_cast<std::uint64_t>(start.when)) * kOdd;
}

WaitTracker::Waits::Waits() : since_eligible(kBounds), since_submit(kBounds) {}

WaitTracker::WaitTracker(std::size_t capacity) : capacity_(capacity) {}

void WaitTracker::feed(const model::Snapshot& snapshot) {
  std::lock_guard lock(mutex_);
  if (!first_) first_ = snapshot.time;
  ++round_;
  for (const auto& w : snapshot.workloads) note(w, snapshot.time);
  if (snapshot.kubernetes) {
    for (const auto& w : snapshot.kubernetes->gone_pods) note(w, snapshot.time);
  }
  forget(snapshot.time);
}

void WaitTracker::note(const model::Workload& w, Timestamp now) {
  if (!model::has_started(w, now) || *w.start <= *first_) return;
  const auto start = start_of(w);
  auto known = seen_.find(start);
  if (known != seen_.end()) {
    known->second = round_;
    return;
  }
  if (seen_.size() >= capacity_) return;
  seen_.emplace(start, round_);
  count(w);
}

void WaitTracker::count(const model::Workload& w) {
  auto& waits = waits_[w.queues.empty() ? Symbol() : w.queues.front()];
  auto add = [&](Histogram& h, std::optional<Timestamp> since) {
    if (since && *since <= *w.start) h.add(static_cast<double>((*w.start - *since).value));
  };
  add(waits.since_eligible, w.eligible);
  add(waits.since_submit, w.submitted);
}

void WaitTracker::forget(Timestamp now) {
  const auto oldest = now.unix_seconds - kGrace.value;
  std::erase_if(seen_, [&](const auto& entry) {
    return entry.second != round_ && entry.first.when < oldest;
  });
}

void WaitTracker::write(Exposition& out) const {
  std::lock_guard lock(mutex_);
  for (const auto& [partition, waits] : waits_) {
    out.histogram(family("schedlens_job_wait_seconds"), waits.since_eligible, partition,
                  "eligible");
    out.histogram(family("schedlens_job_wait_seconds"), waits.since_submit, partition, "submit");
  }
}

std::size_t WaitTracker::remembered() const {
  std::lock_guard lock(mutex_);
  return seen_.size();
}

}  // namespace schedlens::metrics
