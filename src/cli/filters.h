// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which workloads and nodes a command shows, and in which order. Names are compared whole, states
// and reasons ignoring case; a list means any of its members; an empty filter shows everything.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "base/result.h"
#include "model/snapshot.h"

namespace schedlens::cli {

enum class Phase { kWaitingOrRunning, kWaiting, kRunning, kAll };

struct QueueFilter {
  Phase phase = Phase::kWaitingOrRunning;
  std::vector<std::string> users = {}, accounts = {}, queues = {}, qos = {};
  std::vector<std::string> states = {};   // words of the state: "pending", "completing"
  std::vector<std::string> reasons = {};  // how the scheduler's reason begins
  std::vector<std::string> causes = {};   // root cause classes
  std::optional<std::uint64_t> gpus_min = {};
};

// Waiting first, in the scheduler's order; then running, most GPUs and then longest running first;
// then the rest by id. An unknown class is an error that names the nearest.
Result<std::vector<model::WorkloadId>> select_workloads(const model::Snapshot& snapshot,
                                                        const api::Causes& causes,
                                                        const QueueFilter& filter);

struct NodeFilter {
  std::vector<std::string> states = {};  // "idle", "drained", also words of the full state: "drain"
  std::vector<std::string> queues = {}, features = {}, gpu_types = {};
  std::optional<std::uint64_t> free_gpus = {};  // at least so many, on nodes in service
  bool out_of_service = false;
};

// In snapshot order.
std::vector<model::NodeId> select_nodes(const model::Snapshot& snapshot, const NodeFilter& filter);

}  // namespace schedlens::cli
