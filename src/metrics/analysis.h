// SPDX-License-Identifier: Apache-2.0
#pragma once
// What metrics need beyond the Snapshot itself. Computed once per Snapshot, not once per scrape.

#include <array>
#include <cstdint>
#include <vector>

#include "diagnose/fragmentation.h"
#include "diagnose/gpu_ledger.h"
#include "diagnose/holdings.h"
#include "diagnose/starvation.h"
#include "diagnose/usage.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

// Waiting workloads of one root cause, array tasks counted each.
struct CauseCount {
  std::uint64_t tasks = 0;
  std::uint64_t gpus = 0;
};
using CauseCounts = std::array<CauseCount, static_cast<std::size_t>(diagnose::RootCause::kCount)>;

struct Analysis {
  diagnose::Holdings holdings;
  diagnose::Fragmentation fragmentation;
  CauseCounts causes{};
  diagnose::UsageReport usage;  // points into the Snapshot
  diagnose::GpuLedger ledger;
  diagnose::Starvation starvation = {};
};

// Pure; any thread. causes: by WorkloadId. Without what starves.
Analysis analyse(const model::Snapshot& snapshot, const std::vector<diagnose::RootCause>& causes);
// The same of a Snapshot alone; waits are compared with those that it shows.
Analysis analyse(const model::Snapshot& snapshot);

}  // namespace schedlens::metrics
