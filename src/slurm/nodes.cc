// SPDX-License-Identifier: Apache-2.0
#include "slurm/nodes.h"

#include "slurm/gres.h"
#include "slurm/node_state.h"
#include "slurm/record.h"

namespace schedlens::slurm {
namespace {

constexpr std::string_view kAfterOs[] = {"RealMemory"};
constexpr std::string_view kAfterReason[] = {"Comment", "Extra", "InstanceId", "InstanceType"};
constexpr std::string_view kAfterComment[] = {"Extra", "InstanceId", "InstanceType"};
constexpr FreeText kFreeTexts[] = {
    {"OS", kAfterOs}, {"Reason", kAfterReason, ']'}, {"Comment", kAfterComment}, {"Extra", {}}};

void read_processors(const Record& r, model::Node& node) {
  node.cores_per_socket = parse_count32(r.get("CoresPerSocket")).value_or(0);
  node.cpus_allocated = parse_count32(r.get("CPUAlloc")).value_or(0);
  node.cpus_effective = parse_count32(r.get("CPUEfctv"));
  node.cpus = parse_count32(r.get("CPUTot")).value_or(0);
  node.cpu_load = parse_number<double>(r.get("CPULoad"));
  node.sockets = parse_count32(r.get("Sockets")).value_or(0);
  node.threads_per_core = parse_count32(r.get("ThreadsPerCore")).value_or(0);
}

void read_memory(const Record& r, model::Node& node) {
  node.memory = parse_mebibytes(r.get("RealMemory")).value_or(Bytes{});
  node.memory_allocated = parse_mebibytes(r.get("AllocMem")).value_or(Bytes{});
  node.memory_free = parse_mebibytes(r.get("FreeMem"));
  node.memory_reserved = parse_mebibytes(r.get("MemSpecLimit")).value_or(Bytes{});
  node.tmp_disk = parse_mebibytes(r.get("TmpDisk")).value_or(Bytes{});
}

void read_names(const Record& r, model::Node& node, TimeReader& time) {
  node.features_available = symbol_list(r.get("AvailableFeatures"));
  node.features = symbol_list(r.get("ActiveFeatures"));
  if (node.features_available == node.features) node.features_available.clear();
  node.address = text_or_empty(r.get("NodeAddr"));
  node.version = text_or_empty(r.get("Version"));
  node.weight = parse_count32(r.get("Weight")).value_or(1);
  auto owner = text_or_empty(r.get("Owner"));
  node.owner = Symbol(owner.substr(0, owner.find('(')));
  node.mcs_label = symbol_or_empty(r.get("MCS_label"));
  node.queues = symbol_list(r.get("Partitions"));
  node.boot_time = time(r.get("BootTime"));
  node.last_busy = time(r.get("LastBusyTime"));
  node.comment = text_or_empty(r.get("Comment"));
}

Result<model::Node> read_node(const Record& r, TimeReader& time, Complaints& complaints) {
  model::Node node;
  node.name = Symbol(r.get("NodeName"));
  if (node.name.empty()) return fail("no NodeName");
  if (!r.has("State") || !r.has("CPUTot")) return fail("no State or CPUTot");
  read_processors(r, node);
  auto gres = parse_gres_config(r.get("Gres"));
  if (!gres) return fail(gres.error());
  node.gres = std::move(*gres);
  if (r.has("GresUsed")) {
    // A node whose use cannot be told is still a node: its use is unknown.
    if (auto used = apply_gres_used(r.get("GresUsed"), node.gres); !used) {
      complaints.say(used.error().within(node.name.view()).message());
      for (auto& pool : node.gres) {
        pool.used.reset();
        pool.used_indexes.clear();
      }
    }
  }
  read_memory(r, node);
  read_names(r, node, time);
  parse_node_state(r.get("State"), node);
  if (auto reason = r.get("Reason"); !says_nothing(reason)) {
    node.reason = parse_node_reason(reason, time);
  }
  return node;
}

}  // namespace

model::NodeReason parse_node_reason(std::string_view text, TimeReader& time) {
  model::NodeReason reason;
  reason.text = text;
  if (!text.ends_with(']')) return reason;
  auto open = text.rfind('[');
  if (open == std::string_view::npos) return reason;
  auto stamp = cut(text.substr(open + 1, text.size() - open - 2), '@');
  if (!stamp) return reason;
  reason.since = time(stamp->second);
  if (!reason.since && !says_nothing(stamp->second)) return reason;
  reason.author = stamp->first;
  reason.text = trim(text.substr(0, open));
  return reason;
}

Result<Parsed<model::Node>> parse_nodes(std::string_view text, TimeReader& time) {
  if (trim(text).empty()) return fail("no output");
  Parsed<model::Node> parsed;
  if (trim(text) == "No nodes in the system") return parsed;
  if (text.back() != '\n') return fail("output is cut off after {} bytes", text.size());
  for (auto line : lines(text)) {
    auto node = read_node(Record(line, kFreeTexts), time, parsed.complaints);
    if (node) {
      parsed.records.push_back(std::move(*node));
    } else {
      parsed.complaints.unreadable(line, node.error().message());
    }
  }
  return unless_all_unreadable(std::move(parsed));
}

}  // namespace schedlens::slurm
