// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who holds the resources and who waits for them: sums over one Snapshot that every face shows.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// GPUs by what can be done with them; the four parts add up to total.
struct GpuSplit {
  std::uint64_t total = 0;
  std::uint64_t used = 0;            // allocated, whatever the node's state
  std::uint64_t free = 0;            // not allocated, on nodes in service
  std::uint64_t out_of_service = 0;  // not allocated, on nodes out of service
  std::uint64_t unknown = 0;         // the scheduler did not say whether they are allocated

  void add(const model::GresPool& pool, bool in_service);
};

struct TypeHolding {
  Symbol type;  // empty where the scheduler names none
  GpuSplit gpus;
};

// Running and waiting workloads with their GPUs. An array's record counts as its waiting tasks.
struct Demand {
  std::uint64_t running = 0;
  std::uint64_t gpus_held = 0;
  std::uint64_t waiting = 0;
  std::uint64_t gpus_waiting = 0;

  void add(const model::Workload& w);
};

// Nodes that stand in several queues and workloads that wait in several count in each of them: the
// lines do not add up to the cluster.
struct QueueHolding {
  model::QueueId queue;
  std::uint32_t nodes = 0;
  std::uint32_t nodes_in_service = 0;
  GpuSplit gpus;
  Demand demand;
};

struct Holder {
  Symbol name;
  Demand demand;
};

struct Holdings {
  GpuSplit gpus;
  std::vector<TypeHolding> types;    // most GPUs first
  std::vector<QueueHolding> queues;  // in snapshot order
  std::vector<Holder> users;         // most GPUs held first, then most waiting
  std::vector<Holder> accounts;
  Demand demand;
  std::uint64_t cpus = 0, cpus_allocated = 0;  // of all nodes, in service or not
  Bytes memory, memory_allocated;
  // By model::NodeBucket; the sum is the number of nodes.
  std::array<std::uint32_t, static_cast<std::size_t>(model::NodeBucket::kCount)> nodes{};
};

Holdings holdings(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose
