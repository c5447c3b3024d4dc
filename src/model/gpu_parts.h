// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whole GPUs and parts of them on one Kubernetes node: MIG slices, and shares of a device.

#include <cstdint>
#include <optional>

#include "base/symbol.h"
#include "model/node.h"

namespace schedlens::model {

// Parts of GPUs that a node offers, never counted as GPUs. What is no GPU keeps its full name, such
// as rdma/hca.
bool is_gpu_part(const Node& node, const GresPool& pool);

// What one of a pool's parts is in whole GPUs: a 1g slice of MIG a seventh of one, of an A30 a
// fourth, for so many compute slices a GPU has; a share one of as many as its node's label
// nvidia.com/gpu.replicas says. Nothing where that is not known, as of a share of memory.
std::optional<double> worth_of_part(const Node& node, const GresPool& pool);

// The parts whose worth is known, in whole GPUs. Nothing where there are none.
struct PartsWorth {
  double total = 0;
  std::optional<double> used;
};
std::optional<PartsWorth> parts_worth(const Node& node);

// GPUs that the driver counted (a label of GPU feature discovery), whatever the plugin offers.
std::optional<std::int64_t> counted_gpus(const NodeObject& node);

// A node that has whole GPUs and MIG slices at once. Some of its GPUs may be split; or one of both
// is left from before a change, until its kubelet starts anew.
struct MixedGpus {
  Symbol whole, slice;  // "nvidia.com/gpu", the first of the slices
  std::int64_t whole_count = 0, slice_count = 0;
  bool stale = false;  // the node has no more GPUs than are offered whole
};
std::optional<MixedGpus> mixed_gpus(const NodeObject& node);

}  // namespace schedlens::model
