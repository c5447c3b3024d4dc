// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where GPU time went since the program started, as counted from the Snapshots that it saw.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "diagnose/gpu_ledger.h"

namespace schedlens::metrics {

// How a run ended whose work may be lost.
enum class LossCause : std::uint8_t {
  kFailed,
  kTimeout,
  kOutOfMemory,
  kNodeFail,
  kPreempted,
  kEvicted,   // by a kubelet or through the eviction API
  kRequeued,  // for a reason that nobody told
  kDeadline,
  kBootFail,
  kCount
};
std::string_view loss_name(LossCause cause);  // "node_fail"

struct RunTime {
  std::uint64_t runs = 0;
  double gpu_seconds = 0;
};

// Of few values each: partitions and QOS, or namespaces and priority classes.
struct PreemptionKind {
  Symbol victim_queue, victim_class, preemptor_queue, preemptor_class;
  friend auto operator<=>(const PreemptionKind&, const PreemptionKind&) = default;
};

struct Preemption {
  Timestamp when;  // as it was seen, at the latest
  std::string victim;
  std::string preemptor;  // empty: nobody knows
  PreemptionKind kind;
  bool inferred = false;  // the preemptor is whoever started there then and may preempt the victim
  std::uint64_t gpus = 0;
  std::optional<double> gpu_seconds;  // of the victim's run; absent where it was not watched
};

struct EfficiencyCounts {
  std::optional<Timestamp> since, until;  // of the first and the last Snapshot
  std::map<std::pair<diagnose::GpuState, std::string>, double> gpu_seconds;  // by cause, too
  std::array<RunTime, static_cast<std::size_t>(LossCause::kCount)> lost{};
  RunTime unseen;  // runs of which nobody saw how they ended
  std::map<PreemptionKind, std::uint64_t> preemptions;
  std::vector<Preemption> latest;  // newest first
};

}  // namespace schedlens::metrics
