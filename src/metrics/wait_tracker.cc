// SPDX-License-Identifier: Apache-2.0
#include "metrics/wait_tracker.h"

namespace schedlens::metrics {
namespace {

constexpr double kBounds[] = {1,    10,    60,    300,   900,    1800,   3600,
                              7200, 14400, 28800, 86400, 259200, 604800, 1209600};

// A start that a Snapshot no longer shows is remembered this long, in case it shows it again.
constexpr Seconds kGrace{3600};

// Requeued jobs start again under their old id.
std::uint64_t key(const model::Workload& w) {
  return std::uint64_t{w.job_id} << 32 | static_cast<std::uint32_t>(w.start->unix_seconds);
}

// A job that is cancelled while it waits gets a start time, too, but never held a node.
bool has_started(const model::Workload& w, Timestamp now) {
  if (model::is_pending(w) || !w.start || *w.start > now) return false;
  if (model::holds_resources(w)) return true;
  return model::is_finished(w) && (!w.allocation.nodes.empty() || !w.allocation.totals.empty());
}

}  // namespace

WaitTracker::Waits::Waits() : since_eligible(kBounds), since_submit(kBounds) {}

WaitTracker::WaitTracker(std::size_t capacity) : capacity_(capacity) {}

void WaitTracker::feed(const model::Snapshot& snapshot) {
  std::lock_guard lock(mutex_);
  if (!first_) first_ = snapshot.time;
  ++round_;
  for (const auto& w : snapshot.workloads) {
    if (!has_started(w, snapshot.time) || *w.start <= *first_) continue;
    auto known = seen_.find(key(w));
    if (known != seen_.end()) {
      known->second = round_;
      continue;
    }
    if (seen_.size() >= capacity_) continue;
    seen_.emplace(key(w), round_);
    count(w);
  }
  forget(snapshot.time);
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
  auto oldest = static_cast<std::uint32_t>((now.unix_seconds - kGrace.value));
  std::erase_if(seen_, [&](const auto& entry) {
    return entry.second != round_ && static_cast<std::uint32_t>(entry.first) < oldest;
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
