// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is held and not used, and what is free and of no use to what waits, as findings: joined from
// the scheduler's view, what nodes and pods really use, and the ledger of GPUs. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/gpu_ledger.h"
#include "diagnose/usage.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

enum class EfficiencyKind : std::uint8_t {
  kStranded,          // free GPUs that what waits cannot use for what they lack
  kNotScheduled,      // free GPUs that what waits could use, and does not get
  kWaitingElsewhere,  // free GPUs that what waits may not use
  kIdleGpus,          // held, and measured to do nothing
  kStalled,           // held for long by what does next to nothing on its nodes
  kUnusedCpus,        // held, and the node's load is far below
  kUnusedMemory,      // held, and the node's memory is far from that full
  kCount
};
std::string_view kind_name(EfficiencyKind kind);  // "stranded"

struct EfficiencyFinding {
  EfficiencyKind kind = EfficiencyKind::kStranded;
  // Whose; several where they share a node and nobody knows which of them it is.
  std::vector<model::WorkloadId> workloads;
  std::vector<model::NodeId> nodes;
  std::uint64_t gpus = 0;  // that are lost by it
  std::optional<double> cpus;
  std::optional<Bytes> memory;
  // The figure is of these workloads alone; otherwise of everything on the nodes.
  bool exact = true;
  std::string text;
};

// A job is judged once it has run so long, and is stalled only after so long: the load that Slurm
// knows is a mean over minutes, and is minutes old.
inline constexpr Seconds kSettled{900}, kStalledAfter{1800};

// Most GPUs first, then most CPUs, then most memory.
std::vector<EfficiencyFinding> efficiency_findings(const model::Snapshot& snapshot,
                                                   const GpuLedger& ledger,
                                                   const UsageReport& usage);

}  // namespace schedlens::diagnose
