// SPDX-License-Identifier: Apache-2.0
#pragma once
// Choosing workloads and nodes by what people ask for; several conditions must all hold.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/snapshot.h"

namespace schedlens::api {

struct WorkloadFilter {
  std::string user = {};
  std::string account = {};
  std::string queue = {};  // partition
  std::string qos = {};
  std::string node = {};    // holds resources there
  std::string reason = {};  // the scheduler's, whatever its case
  // A state word ("pending", "running", "completing"), "active" (not finished) or "all".
  std::string state = "active";
  std::optional<bool> gpu = {};  // asks for GPUs or not
};

// Waiting ones first in scheduling order, then those that hold resources, longest running first,
// then the finished ones, latest first. Fails on a state, queue or node
// that does not exist.
Result<std::vector<model::WorkloadId>> select_workloads(const model::Snapshot& snapshot,
                                                        const WorkloadFilter& filter);

struct NodeFilter {
  std::string queue = {};
  std::string feature = {};
  // What `schedlens nodes` prints ("drained", "mixed"), a base state or a flag, or "unhealthy" for
  // everything out of service.
  std::string state = {};
  std::optional<bool> gpu = {};
};

// Without making the name a Symbol: what users type must not stay in memory for ever.
std::optional<model::NodeId> find_node_named(const model::Snapshot& snapshot,
                                             std::string_view name);

// In snapshot order. Fails on a queue or a state that does not exist.
Result<std::vector<model::NodeId>> select_nodes(const model::Snapshot& snapshot,
                                                const NodeFilter& filter);

}  // namespace schedlens::api
