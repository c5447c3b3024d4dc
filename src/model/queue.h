// SPDX-License-Identifier: Apache-2.0
#pragma once
// What workloads queue in: a Slurm partition; later a namespace's queue.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/ids.h"
#include "model/resources.h"

namespace schedlens::model {

enum class QueueState : std::uint8_t { kUnknown, kUp, kDown, kDrain, kInactive };

// A list of names where "all" is possible.
struct Allowed {
  bool all = true;
  std::vector<Symbol> names;
  bool allows(Symbol name) const;
};

struct Queue {
  Symbol name;
  QueueState state = QueueState::kUnknown;
  bool is_default = false;
  bool hidden = false;
  std::vector<NodeId> nodes;
  // Nodes that the scheduler names for this queue but did not list among its nodes.
  std::vector<std::string> unknown_nodes;
  std::uint32_t total_nodes = 0;
  std::uint32_t total_cpus = 0;

  std::uint32_t min_nodes = 0;
  Bound<std::uint32_t> max_nodes;
  Bound<std::uint32_t> max_cpus_per_node;
  Bound<Seconds> max_time;
  std::optional<Seconds> default_time;
  Bound<Bytes> max_memory_per_node;
  Bound<Bytes> max_memory_per_cpu;
  std::optional<Bytes> default_memory_per_node;
  std::optional<Bytes> default_memory_per_cpu;
  std::optional<Bytes> default_memory_per_gpu;
  std::optional<std::uint32_t> default_cpus_per_gpu;

  std::uint32_t priority_tier = 1;
  std::uint32_t priority_job_factor = 1;
  Symbol qos;  // the partition QOS, empty for none
  Allowed allow_accounts;
  Allowed allow_qos;
  Allowed allow_groups;
  std::vector<Symbol> deny_accounts;
  std::vector<Symbol> deny_qos;
  bool exclusive = false;  // whole nodes only
  bool exclusive_user = false;
  bool oversubscribe_force = false;
  // Jobs that may share a CPU: all that run here with oversubscribe_force, else those that ask.
  std::uint32_t jobs_per_cpu = 1;
  bool root_only = false;
  bool requires_reservation = false;
  bool least_loaded = false;  // LLN
  std::string preempt_mode;
  ResourceCounts totals;
};

std::string_view state_name(QueueState state);  // "UP"

}  // namespace schedlens::model
