// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one workload holds of one node.

#include <cstdint>
#include <optional>
#include <string>

#include "model/workload.h"

namespace schedlens::cli {

// Of a workload on several nodes the parts are known only after a detailed read.
struct NodeShare {
  std::optional<std::uint64_t> gpus;
  std::string gpu_indexes;  // "0-3", "?" when not known, "-" for none
  std::optional<std::uint64_t> cpus;
  std::optional<Bytes> memory;
};

NodeShare share_of(const model::Workload& w, model::NodeId node);

}  // namespace schedlens::cli
