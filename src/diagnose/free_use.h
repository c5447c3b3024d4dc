// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the free GPUs of a node would serve; part of what fragmentation() finds.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"

namespace schedlens::diagnose {

// Why free GPUs of a node in service serve nobody, where something waits that could use them, or
// might if they stood elsewhere.
enum class FreeUse : std::uint8_t {
  kHeld,      // promised to pods that are nominated to the node
  kTaken,     // one that waits would start here at once, were it its turn
  kUnusable,  // what waits may use the node and does not fit, for what it lacks
  kElsewhere  // what waits may not use the node
};

// What the waiting workload that comes closest would need beside what is free.
enum class Lack : std::uint8_t {
  kNothing,
  kGpus,  // fewer are free than the smallest asks for, or of another type
  kCpu,
  kMemory,
  kCpuAndMemory,
  kPods,       // places for pods
  kDevices,    // other devices
  kWholeNode,  // the node is not idle, or given to one user alone
  kNodes,      // it fits, and there are too few such nodes for all of it
  kCount
};
std::string_view lack_name(Lack lack);  // "cpu"

// Of one node. Planned and reserved GPUs, and those that nobody waits for, are in none.
struct FreePiece {
  model::NodeId node;
  FreeUse use = FreeUse::kElsewhere;
  Lack lack = Lack::kNothing;
  std::uint64_t gpus = 0;
  std::optional<model::WorkloadId> whose;  // kHeld, kTaken: that they would serve
  std::optional<std::uint32_t> shape;      // kUnusable: the closest, in Fragmentation::demand
};

// Workloads of one shape that find no room: those that are unplaced after all that fits.
struct UnplacedShape {
  std::string shape;
  std::string queue;
  std::uint64_t gpus = 0;  // of one
  std::uint64_t unplaced = 0;
};

}  // namespace schedlens::diagnose
