// SPDX-License-Identifier: Apache-2.0
#pragma once
// How usable the free GPUs are.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Why free GPUs on a node in service cannot be given to the usual GPU job.
enum class Stranding : std::uint8_t { kNone, kCpu, kMemory, kShared, kReserved, kPlanned };
std::string_view stranding_name(Stranding s);  // "cpu"

struct NodeFragmentation {
  model::NodeId node;
  std::uint64_t total = 0;
  std::uint64_t free = 0;         // not allocated, whatever the node's state
  std::uint64_t allocatable = 0;  // could be given to one job now
  std::uint64_t stranded = 0;     // free and in service, yet not allocatable
  Stranding stranded_by = Stranding::kNone;
  // 1 - allocatable / total, as operators use it: a full node scores 1.
  double score = 0;
  bool in_service = true;
};

// How many workloads of one shape could start now, one after the other, if nothing else did.
struct ShapeFit {
  std::string shape;          // "8 gpu", "4 nodes x 8 gpu", "2 gpu, 64 cpu, 400 GiB"
  std::uint64_t gpus = 0;     // of one workload
  std::uint64_t waiting = 0;  // workloads of this shape in the queue; 0 for the standard sizes
  std::uint64_t fits_now = 0;
  // If the free GPUs, CPUs and memory of the cluster stood in one place.
  std::uint64_t fits_pooled = 0;
};

struct Fragmentation {
  std::vector<NodeFragmentation> nodes;  // those with GPUs, in snapshot order
  std::uint64_t gpus_total = 0;
  std::uint64_t gpus_used = 0;
  std::uint64_t gpus_free = 0;            // on nodes in service
  std::uint64_t gpus_out_of_service = 0;  // not allocated, on nodes out of service
  std::uint64_t gpus_stranded = 0;
  std::map<Stranding, std::uint64_t> stranded_by;
  std::uint64_t largest_hole = 0;
  // 1 - sum(floor(allocatable / g) * g) / sum(allocatable): the share of allocatable GPUs that a
  // stream of g-GPU single-node jobs could not use; for g = 1, 2, 4, 8. Absent when none are free.
  std::map<std::uint64_t, std::optional<double>> by_size;
  std::vector<ShapeFit> standard;  // 1, 2, 4, 8 GPUs on one node
  std::vector<ShapeFit> queue;     // the shapes that wait, most GPUs waiting first
  // GPUs asked for by waiting GPU workloads that could start, in queue order, now and if the free
  // GPUs stood in one place; and in all.
  std::uint64_t queue_gpus_startable = 0;
  std::uint64_t queue_gpus_startable_pooled = 0;
  std::uint64_t queue_gpus_waiting = 0;
  std::vector<std::string> unsure;
};

Fragmentation fragmentation(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
