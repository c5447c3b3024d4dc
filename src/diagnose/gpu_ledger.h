// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every GPU of the cluster is doing now: each is counted once, under the first state that is
// true of it, so that the states add up to all GPUs. Whole GPUs only; parts of one are in no count.
// Pure; any thread.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "diagnose/fragmentation.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

enum class GpuState : std::uint8_t {
  kUnknown,        // what was read does not say, or could not be read of late
  kDown,           // the node is down or does not answer
  kUnhealthy,      // the device, as its kubelet says
  kAllocatedIdle,  // allocated and measured: nothing runs on it
  kInUse,          // allocated
  kDrained,        // free, and its node takes no new work
  kMaintenance,    // free, in a maintenance reservation
  kReservedIdle,   // free, in another reservation
  kHeldIdle,       // free, and held by the scheduler for a workload that waits
  kStranded,       // free, and what waits for GPUs lacks something beside it
  kNotScheduled,   // free, a waiting workload fits, and something else keeps it from starting
  kElsewhere,      // free, and what waits may not use the node
  kNoDemand,       // free, and nothing waits for it
  kCount
};
inline constexpr std::size_t kGpuStates = static_cast<std::size_t>(GpuState::kCount);
std::string_view gpu_state_name(GpuState state);     // "in_use"
std::string_view gpu_state_meaning(GpuState state);  // half a sentence for people

using GpuCounts = std::array<std::uint64_t, kGpuStates>;

// Within a state: what the GPUs lack (a Lack), or why what fits does not start (a RootCause).
struct LedgerPart {
  GpuState state = GpuState::kUnknown;
  std::string_view cause;  // empty for states that have none
  std::uint64_t gpus = 0;
};

struct NodeLedger {
  model::NodeId node;
  GpuCounts gpus{};
};

struct QueueLedger {
  Symbol queue;
  GpuCounts gpus{};  // a node in several queues counts in each
};

// Free GPUs that serve nobody though something waits, of one state and cause.
struct IdleGpus {
  GpuState state = GpuState::kStranded;
  std::string_view cause;
  std::uint64_t gpus = 0;
  std::vector<model::NodeId> nodes;
  // kStranded: what waits and would come closest. kNotScheduled: what fits, in queue order.
  std::vector<UnplacedShape> shapes;
  std::vector<model::WorkloadId> workloads;
};

struct GpuLedger {
  std::uint64_t total = 0;
  GpuCounts gpus{};
  std::vector<LedgerPart> parts;    // all states, those with causes by cause
  std::vector<NodeLedger> nodes;    // with GPUs, in snapshot order
  std::vector<QueueLedger> queues;  // with GPUs; of Slurm alone, whose queues have nodes
  std::vector<IdleGpus> idle;       // most GPUs first
  std::vector<std::string> unsure;
};

// Of the same Snapshot; causes by WorkloadId, kNone for what does not wait.
GpuLedger gpu_ledger(const model::Snapshot& snapshot, const Fragmentation& fragmentation,
                     std::span<const RootCause> causes);

}  // namespace schedlens::diagnose
