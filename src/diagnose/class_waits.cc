// SPDX-License-Identifier: Apache-2.0
#include "diagnose/class_waits.h"

#include <fmt/format.h>

#include <bit>

#include "diagnose/constraint_list.h"
#include "model/kubernetes.h"
#include "model/pod.h"
#include "model/started.h"

namespace schedlens::diagnose {

using model::Workload;

namespace {

constexpr std::size_t kKept = 200;  // of each class

std::uint32_t up_to_power(std::uint64_t n) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  return static_cast<std::uint32_t>(
      std::bit_ceil(std::min(std::max<std::uint64_t>(n, 1), kLargest)));
}

std::uint64_t cpus_asked(const Workload& w) {
  return static_cast<std::uint64_t>(
      w.request.totals.get(model::names::kCpu).value_or(w.request.cpus));
}

std::string name_of(const Workload& w) {
  return w.pod ? w.pod->uid : std::to_string(w.job_id);
}

}  // namespace

WaitClass wait_class(const Workload& w) {
  WaitClass c;
  c.queue = w.pod ? w.pod->ns : w.queues.empty() ? Symbol() : w.queues.front();
  const auto gpus = model::gpus_requested(w);
  c.gpus = gpus > 0;
  c.size = up_to_power(c.gpus ? gpus : cpus_asked(w));
  return c;
}

std::string class_name(const WaitClass& c) {
  const auto least = c.size / 2 + 1;
  const auto what = c.gpus ? "GPU" : "CPU";
  const auto size =
      least >= c.size ? plural(c.size, what) : fmt::format("{} to {}", least, plural(c.size, what));
  return fmt::format("{} in {}", size, c.queue.view());
}

void ClassWaits::observe(const model::Snapshot& snapshot) {
  last_seen_ = std::exchange(seen_, {});
  for (const auto& w : snapshot.workloads) note(w, snapshot.time);
  if (snapshot.kubernetes) {
    // Pods that lived between two Snapshots.
    for (const auto& w : snapshot.kubernetes->gone_pods) note(w, snapshot.time);
  }
}

void ClassWaits::note(const Workload& w, Timestamp now) {
  if (!model::has_started(w, now) || !w.eligible || *w.eligible > *w.start) return;
  Run run{name_of(w), w.start->unix_seconds};
  const bool known = last_seen_.contains(run);
  seen_.insert(std::move(run));
  if (known) return;
  add(wait_class(w), {*w.eligible, *w.start, w.pod ? w.pod->priority.value_or(0) : 0});
}

void ClassWaits::add(const WaitClass& c, ClassStart start) {
  auto& starts = starts_[c];
  starts.push_back(start);
  if (starts.size() > kKept) starts.pop_front();
}

const std::deque<ClassStart>& ClassWaits::starts(const WaitClass& c) const {
  static const std::deque<ClassStart> kNone;
  const auto it = starts_.find(c);
  return it == starts_.end() ? kNone : it->second;
}

}  // namespace schedlens::diagnose
