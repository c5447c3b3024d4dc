// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whole GPUs and slices of GPUs (MIG) on one Kubernetes node.

#include <cstdint>
#include <optional>

#include "base/symbol.h"
#include "model/node.h"

namespace schedlens::model {

// What the MIG slices that a node offers are in whole GPUs: a 1g slice is a seventh of one, of an
// A30 a fourth. Nothing where it offers none.
struct SlicesWorth {
  double total = 0;
  std::optional<double> used;
};
std::optional<SlicesWorth> slices_worth(const Node& node);

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
