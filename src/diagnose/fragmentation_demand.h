// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the free GPUs would serve, node by node; part of fragmentation().

#include <cstdint>
#include <vector>

#include "diagnose/fragmentation.h"
#include "diagnose/fragmentation_shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::fitting {

struct Wanted {
  model::WorkloadId id;
  std::uint32_t shape = 0;  // place in the book
  bool room_only = false;   // nothing but room keeps it from starting
};

// Fills free_gpus and demand. The workloads are those that wait for GPUs, in queue order.
void find_demand(const model::Snapshot& snapshot, const Rooms& rooms, const ShapeBook& book,
                 const std::vector<Wanted>& order, Fragmentation& result);

}  // namespace schedlens::diagnose::fitting
