// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which workloads and nodes are shown, and in which order: one meaning for the command line and for
// the API.
//
// A list means any of its members and an empty one everything; several conditions must all hold.
// Names are compared whole, states and reasons ignoring case. A state, partition, node or cause
// that does not exist is an error that names the nearest, not an empty answer.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pending_causes.h"
#include "base/result.h"
#include "model/snapshot.h"

namespace schedlens::api {

using Words = std::vector<std::string>;

// kActive: what waits or holds resources, unless states are asked for.
enum class Phase : std::uint8_t { kActive, kWaiting, kHolding, kAll };

struct WorkloadFilter {
  Phase phase = Phase::kActive;
  Words users = {}, accounts = {}, queues = {}, qos = {};
  Words namespaces = {};  // of pods
  Words nodes = {};       // holds resources on one of them
  Words states = {};      // words of the state: "pending", "completing"; "active" or "all"
  Words reasons = {};     // how the scheduler's reason begins
  Words causes = {};      // root cause classes
  std::optional<std::uint64_t> gpus_min = {};
  std::optional<bool> gpu = {};  // asks for GPUs or not
};

// Waiting first, in the scheduler's order; then those that hold resources, most GPUs and then
// longest running first; then the rest, latest end first.
Result<std::vector<model::WorkloadId>> select_workloads(const model::Snapshot& snapshot,
                                                        const Causes& causes,
                                                        const WorkloadFilter& filter);

struct NodeFilter {
  // What `schedlens nodes` prints ("drained", "mixed"), a base state or a flag ("drain"), or
  // "unhealthy" for everything out of service.
  Words states = {};
  Words queues = {}, features = {}, gpu_types = {};
  std::optional<std::uint64_t> free_gpus = {};  // at least so many, on nodes in service
  std::optional<bool> gpu = {};                 // has GPUs or not
};

// In snapshot order.
Result<std::vector<model::NodeId>> select_nodes(const model::Snapshot& snapshot,
                                                const NodeFilter& filter);

// Without making the name a Symbol: what users type must not stay in memory for ever.
std::optional<model::NodeId> find_node_named(const model::Snapshot& snapshot,
                                             std::string_view name);

}  // namespace schedlens::api
