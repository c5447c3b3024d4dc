// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts GPU time by what the GPUs did, and by how runs ended that lost it.
//
// Every Snapshot is fed once, in order, with its ledger. The time between two of them belongs half
// to what the first says and half to what the second does; a longer gap than is told, to nothing
// that is known. Counts live in memory only. Any thread may call.

#include <mutex>

#include "base/units.h"
#include "diagnose/gpu_ledger.h"
#include "metrics/efficiency_counts.h"
#include "metrics/exposition.h"
#include "metrics/run_tracker.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

class EfficiencyTracker {
 public:
  void feed(const model::Snapshot& snapshot, const diagnose::GpuLedger& ledger,
            Seconds longest_gap);

  EfficiencyCounts counts() const;
  void write(Exposition& out) const;

 private:
  void add_time(const diagnose::GpuLedger& ledger, Seconds gap, Seconds longest_gap);

  mutable std::mutex mutex_;
  EfficiencyCounts counts_;
  std::vector<diagnose::LedgerPart> last_;  // of the Snapshot before
  RunTracker runs_;
};

}  // namespace schedlens::metrics
