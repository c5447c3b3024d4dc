// SPDX-License-Identifier: Apache-2.0
#include "slurm/partitions.h"

#include "slurm/gres.h"
#include "slurm/record.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {
namespace {

bool yes(std::string_view text) {
  return equal_ignoring_case(text, "YES");
}

model::QueueState parse_state(std::string_view text) {
  if (text == "UP") return model::QueueState::kUp;
  if (text == "DOWN") return model::QueueState::kDown;
  if (text == "DRAIN") return model::QueueState::kDrain;
  if (text == "INACTIVE") return model::QueueState::kInactive;
  return model::QueueState::kUnknown;
}

// Absent keys allow all: the Deny list is then printed in their place.
model::Allowed parse_allowed(const Record& r, std::string_view key) {
  model::Allowed allowed;
  auto text = r.get(key);
  if (!r.has(key) || equal_ignoring_case(text, "ALL")) return allowed;
  allowed.all = false;
  allowed.names = symbol_list(text);
  return allowed;
}

void read_sharing(const Record& r, model::Queue& queue) {
  auto oversubscribe = r.get("OverSubscribe");
  queue.oversubscribe_force = oversubscribe.starts_with("FORCE");
  if (auto count = cut(oversubscribe, ':')) {
    queue.jobs_per_cpu = std::max(1u, parse_count32(count->second).value_or(1));
  }
  // From 26.05 on one key, Exclusive=NODE|USER|TOPO, says what two said before.
  auto exclusive = r.get("Exclusive");
  queue.exclusive = oversubscribe == "EXCLUSIVE" || exclusive == "NODE";
  queue.exclusive_user = yes(r.get("ExclusiveUser")) || exclusive == "USER";
}

void read_defaults(const Record& r, model::Queue& queue) {
  queue.default_memory_per_cpu = parse_mebibytes(r.get("DefMemPerCPU"));
  queue.default_memory_per_node = parse_mebibytes(r.get("DefMemPerNode"));
  auto bound = [](std::string_view text) {
    if (equal_ignoring_case(text, "UNLIMITED")) return Bound<Bytes>::unlimited();
    auto bytes = parse_mebibytes(text);
    return bytes ? Bound<Bytes>::of(*bytes) : Bound<Bytes>{};
  };
  queue.max_memory_per_cpu = bound(r.get("MaxMemPerCPU"));
  queue.max_memory_per_node = bound(r.get("MaxMemPerNode"));
  for (auto part : split(r.get("JobDefaults"), ',')) {
    auto pair = cut(part, '=');
    if (!pair) continue;
    if (pair->first == "DefCpuPerGPU") queue.default_cpus_per_gpu = parse_count32(pair->second);
    if (pair->first == "DefMemPerGPU") queue.default_memory_per_gpu = parse_mebibytes(pair->second);
  }
}

Result<model::Queue> read_partition(const Record& r, NodeTable& nodes, Complaints& complaints) {
  model::Queue queue;
  queue.name = Symbol(r.get("PartitionName"));
  if (queue.name.empty()) return fail("no PartitionName");
  if (!r.has("State")) return fail("no State");
  queue.allow_groups = parse_allowed(r, "AllowGroups");
  queue.allow_accounts = parse_allowed(r, "AllowAccounts");
  queue.deny_accounts = symbol_list(r.get("DenyAccounts"));
  queue.allow_qos = parse_allowed(r, "AllowQos");
  queue.deny_qos = symbol_list(r.get("DenyQos"));
  queue.is_default = yes(r.get("Default"));
  queue.qos = symbol_or_empty(r.get("QoS"));
  queue.default_time = parse_duration(r.get("DefaultTime"));
  queue.hidden = yes(r.get("Hidden"));
  queue.max_nodes = parse_count_limit(r.get("MaxNodes"));
  queue.max_time = parse_time_limit(r.get("MaxTime"));
  queue.min_nodes = parse_count32(r.get("MinNodes")).value_or(0);
  queue.least_loaded = yes(r.get("LLN"));
  queue.max_cpus_per_node = parse_count_limit(r.get("MaxCPUsPerNode"));
  queue.priority_job_factor = parse_count32(r.get("PriorityJobFactor")).value_or(1);
  queue.priority_tier = parse_count32(r.get("PriorityTier")).value_or(1);
  queue.root_only = yes(r.get("RootOnly"));
  queue.requires_reservation = yes(r.get("ReqResv"));
  read_sharing(r, queue);
  queue.preempt_mode = text_or_empty(r.get("PreemptMode"));
  queue.state = parse_state(r.get("State"));
  queue.total_cpus = parse_count32(r.get("TotalCPUs")).value_or(0);
  queue.total_nodes = parse_count32(r.get("TotalNodes")).value_or(0);
  read_defaults(r, queue);

  auto ids = nodes.resolve(r.get("Nodes"), &queue.unknown_nodes);
  if (!ids) return fail(ids.error().within("Nodes"));
  queue.nodes = std::move(*ids);
  if (auto totals = parse_tres(r.get("TRES"))) {
    queue.totals = std::move(*totals);
  } else {
    complaints.say(totals.error().within(queue.name.view()).message());
  }
  return queue;
}

}  // namespace

Result<Parsed<model::Queue>> parse_partitions(std::string_view text, NodeTable& nodes) {
  if (trim(text).empty()) return fail("no output");
  Parsed<model::Queue> parsed;
  if (trim(text) == "No partitions in the system") return parsed;
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  for (auto line : lines(text)) {
    auto queue = read_partition(Record(line, {}), nodes, parsed.complaints);
    if (!queue) {
      parsed.complaints.unreadable(line, queue.error().message());
      continue;
    }
    parsed.records.push_back(std::move(*queue));
  }
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
