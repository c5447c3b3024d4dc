// SPDX-License-Identifier: Apache-2.0
#pragma once
// How usable the free GPUs are.
//
// A free GPU is allocatable when its node is in service, open to new jobs and has the CPUs and the
// memory that go with it, too. How much goes with one GPU is taken per queue, and said in
// Fragmentation::needs: the queue's own defaults (DefCpuPerGPU; DefMemPerGPU, DefMemPerCPU,
// DefMemPerNode), else the median of what the waiting and running GPU workloads of the queue (where
// it has none: of all queues) ask per GPU, else one CPU per job. With Kubernetes, where
// the queues are the schedulers, CPUs, memory and tolerated taints are those of the GPU pods. A
// node in several queues counts by the one that can use most of it. Pure; any thread.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "diagnose/free_use.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Why free GPUs on a node in service cannot be given to the usual GPU job.
enum class Stranding : std::uint8_t {
  kNone,
  kCpu,
  kMemory,
  kShared,    // one job or one user has the node to itself
  kReserved,  // in an active reservation, maintenance among them
  kPlanned,   // idle, and held by the scheduler for a job that waits for more; not waste
  kQueue,     // no queue that is up offers the node
  kTaint,     // the usual GPU pod does not tolerate a taint of the node
  kPods,      // the node has as many pods as it takes
  kCount
};
std::string_view stranding_name(Stranding s);  // "cpu"

// What goes with one GPU of the usual job of a queue.
struct GpuNeed {
  Symbol queue;
  double cpus_per_gpu = 0;
  Bytes memory_per_gpu;
  Bytes memory_per_job;
  std::string basis;  // "DefCpuPerGPU; median of 34 workloads"
};

struct NodeFragmentation {
  model::NodeId node;
  std::uint64_t total = 0;
  std::uint64_t free = 0;         // not allocated, whatever the node's state
  std::uint64_t allocatable = 0;  // could be given to one job now
  std::uint64_t stranded = 0;     // free and in service, yet not allocatable; with the planned ones
  Stranding stranded_by = Stranding::kNone;
  // 1 - allocatable / total, as operators use it: a full node scores 1.
  double score = 0;
  bool in_service = true;
};

// How many workloads of one shape could start now, one after the other, if nothing else did.
struct ShapeFit {
  std::string shape;          // "8 gpu", "4 nodes x 8 gpu", "2 gpu, 64 cpu, 400 GiB"
  std::uint64_t gpus = 0;     // of one workload
  std::string queue;          // the queues it may use, "train,dev"; empty for any
  std::uint64_t waiting = 0;  // workloads of this shape in the queue; 0 for the standard sizes
  // Planned nodes count, since the plan may be this workload's own; reserved ones only for those
  // who ask for the reservation. Limits and priorities do not count. For pods the filters of
  // kube-scheduler do; those that look at other pods see them as they stand.
  std::uint64_t fits_now = 0;
  // If the free GPUs, CPUs and memory of the nodes it may use stood in one place.
  std::uint64_t fits_pooled = 0;
};

struct Fragmentation {
  std::vector<NodeFragmentation> nodes;  // those with GPUs, in snapshot order
  std::uint64_t gpus_total = 0;
  std::uint64_t gpus_used = 0;
  std::uint64_t gpus_free = 0;            // on nodes in service
  std::uint64_t gpus_out_of_service = 0;  // not allocated, on nodes out of service
  std::uint64_t gpus_allocatable = 0;
  std::uint64_t gpus_planned = 0;   // free = allocatable + stranded + planned
  std::uint64_t gpus_stranded = 0;  // without the planned ones
  std::map<Stranding, std::uint64_t> stranded_by;
  std::uint64_t largest_hole = 0;
  // 1 - sum(floor(allocatable / g) * g) / sum(allocatable): the share of allocatable GPUs that a
  // stream of g-GPU single-node jobs could not use; for g = 1, 2, 4, 8. Absent when none are free.
  std::map<std::uint64_t, std::optional<double>> by_size;
  std::vector<ShapeFit> standard;  // 1, 2, 4, 8 GPUs on one node
  std::vector<ShapeFit> queue;     // the shapes that wait, most GPUs waiting first
  // GPUs asked for by waiting GPU workloads that could start, in queue order, now and if the free
  // GPUs stood in one place (the workloads that do not fit are passed over); and in all. Workloads
  // that are held, gated, not yet eligible, without a scheduler or their claims, of a group that
  // starts together, or stopped by a limit are only in the last number.
  std::uint64_t queue_gpus_startable = 0;
  std::uint64_t queue_gpus_startable_pooled = 0;
  std::uint64_t queue_gpus_waiting = 0;
  std::vector<GpuNeed> needs;         // of the queues with GPUs
  std::vector<FreePiece> free_gpus;   // by node
  std::vector<UnplacedShape> demand;  // in queue order
  std::vector<std::string> unsure;
};

Fragmentation fragmentation(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
