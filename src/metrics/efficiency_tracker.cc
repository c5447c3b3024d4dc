// SPDX-License-Identifier: Apache-2.0
#include "metrics/efficiency_tracker.h"

#include <utility>

namespace schedlens::metrics {
namespace {

using diagnose::GpuState;

// Of Slurm, what a QOS or a partition is; an empty name is one that nobody gave.
std::string_view name_of(Symbol symbol) {
  return symbol.empty() ? std::string_view("none") : symbol.view();
}

}  // namespace

std::string_view loss_name(LossCause cause) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(LossCause::kCount)> kNames = {
      "failed",  "timeout",  "out_of_memory", "node_fail", "preempted",
      "evicted", "requeued", "deadline",      "boot_fail"};
  return kNames[static_cast<std::size_t>(cause)];
}

void EfficiencyTracker::feed(const model::Snapshot& snapshot, const diagnose::GpuLedger& ledger,
                             Seconds longest_gap) {
  std::lock_guard lock(mutex_);
  if (!counts_.since) counts_.since = snapshot.time;
  // A clock that was set back makes no time.
  if (counts_.until && *counts_.until < snapshot.time) {
    add_time(ledger, snapshot.time - *counts_.until, longest_gap);
  }
  counts_.until = snapshot.time;
  last_ = ledger.parts;
  runs_.feed(snapshot, counts_);
}

void EfficiencyTracker::add_time(const diagnose::GpuLedger& ledger, Seconds gap,
                                 Seconds longest_gap) {
  const auto seconds = static_cast<double>(gap.value);
  if (gap > longest_gap) {
    std::uint64_t total = 0;
    for (const auto& part : last_) total += part.gpus;
    counts_.gpu_seconds[{GpuState::kUnknown, {}}] += static_cast<double>(total) * seconds;
    return;
  }
  for (const auto* parts : {&std::as_const(last_), &ledger.parts}) {
    for (const auto& part : *parts) {
      counts_.gpu_seconds[{part.state, std::string(part.cause)}] +=
          static_cast<double>(part.gpus) * seconds / 2;
    }
  }
}

EfficiencyCounts EfficiencyTracker::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

void EfficiencyTracker::write(Exposition& out) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, seconds] : counts_.gpu_seconds) {
    out.sample(family("schedlens_gpu_seconds_total"), seconds, gpu_state_name(key.first),
               key.second);
  }
  if (!counts_.since) return;
  for (std::size_t i = 0; i < counts_.lost.size(); ++i) {
    out.sample(family("schedlens_lost_gpu_seconds_total"), counts_.lost[i].gpu_seconds,
               loss_name(static_cast<LossCause>(i)));
  }
  for (std::size_t i = 0; i < counts_.lost.size(); ++i) {
    out.sample(family("schedlens_lost_gpu_runs_total"), counts_.lost[i].runs,
               loss_name(static_cast<LossCause>(i)));
  }
  out.sample(family("schedlens_ended_unseen_gpu_seconds_total"), counts_.unseen.gpu_seconds);
  for (const auto& [kind, count] : counts_.preemptions) {
    out.sample(family("schedlens_preemptions_total"), count, name_of(kind.victim_queue),
               name_of(kind.victim_class), name_of(kind.preemptor_queue),
               name_of(kind.preemptor_class));
  }
}

}  // namespace schedlens::metrics
