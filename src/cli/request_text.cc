// SPDX-License-Identifier: Apache-2.0
#include "cli/request_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/time_text.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

std::string nodes_text(const model::Request& r) {
  if (r.max_nodes && *r.max_nodes > r.min_nodes) {
    return fmt::format("{} to {} nodes", r.min_nodes, *r.max_nodes);
  }
  return counted(r.min_nodes, "node");
}

std::string memory_text(const model::Request& r) {
  switch (r.memory_per) {
    case model::MemoryPer::kUnspecified:
      return "";
    case model::MemoryPer::kNode:
      return r.memory.value == 0 ? "all memory of each node" : short_bytes(r.memory) + " per node";
    case model::MemoryPer::kCpu:
      return short_bytes(r.memory) + " per CPU";
    case model::MemoryPer::kGpu:
      return short_bytes(r.memory) + " per GPU";
  }
  return "";
}

std::string_view sharing_text(model::Sharing sharing) {
  switch (sharing) {
    case model::Sharing::kWholeNode:
      return "whole nodes";
    case model::Sharing::kUser:
      return "nodes with this user's jobs only";
    case model::Sharing::kMcs:
      return "nodes with jobs of one MCS label only";
    case model::Sharing::kOversubscribe:
      return "may share CPUs with other jobs";
    case model::Sharing::kUnspecified:
    case model::Sharing::kShareable:
      return "";
  }
  return "";
}

void add_shape(std::vector<std::string>& parts, const model::Request& r) {
  if (r.tasks) parts.push_back(counted(*r.tasks, "task"));
  if (r.tasks_per_node && *r.tasks_per_node > 0) {
    parts.push_back(counted(*r.tasks_per_node, "task") + " per node");
  }
  if (r.cpus_per_task && *r.cpus_per_task > 1) {
    parts.push_back(counted(*r.cpus_per_task, "CPU") + " per task");
  }
  if (r.cpus_per_gpu) parts.push_back(counted(*r.cpus_per_gpu, "CPU") + " per GPU");
  if (r.sockets_per_node) parts.push_back(counted(*r.sockets_per_node, "socket") + " per node");
  if (r.cores_per_socket) parts.push_back(counted(*r.cores_per_socket, "core") + " per socket");
  if (r.threads_per_core) parts.push_back(counted(*r.threads_per_core, "thread") + " per core");
}

}  // namespace

std::string gres_list(const std::vector<model::GresCount>& gres) {
  std::string out;
  for (const auto& g : gres) {
    if (!out.empty()) out += ',';
    out += g.type.empty() ? fmt::format("{}:{}", g.name.view(), g.count)
                          : fmt::format("{}:{}:{}", g.name.view(), g.type.view(), g.count);
  }
  return printable(out);
}

std::string request_sentence(const model::Workload& w) {
  const auto& r = w.request;
  std::vector<std::string> parts = {nodes_text(r)};
  auto add = [&](const std::vector<model::GresCount>& gres, std::string_view per) {
    if (!gres.empty()) parts.push_back(gres_list(gres) + std::string(per));
  };
  // What one node is asked for is all, when one node is asked for.
  bool one_node = r.min_nodes == 1 && r.max_nodes.value_or(1) == 1 && !r.gres_per_node.empty();
  auto gpus = model::gpus_requested(w);
  if (gpus > 0 && !one_node) parts.push_back(counted(gpus, "GPU") + " in all");
  add(r.gres_per_job, " per job");
  add(r.gres_per_node, one_node ? "" : " per node");
  add(r.gres_per_socket, " per socket");
  add(r.gres_per_task, " per task");
  parts.push_back(counted(r.cpus, "CPU"));
  add_shape(parts, r);
  if (auto memory = memory_text(r); !memory.empty()) parts.push_back(memory);
  if (r.memory_per_gpu && r.memory_per != model::MemoryPer::kGpu) {
    parts.push_back(short_bytes(*r.memory_per_gpu) + " per GPU");
  }
  if (r.tmp_disk.value > 0) parts.push_back(short_bytes(r.tmp_disk) + " of local disk");
  if (auto sharing = sharing_text(r.sharing); !sharing.empty()) parts.emplace_back(sharing);
  if (r.contiguous) parts.emplace_back("neighbouring nodes");
  if (r.core_spec && *r.core_spec > 0) {
    parts.push_back(counted(*r.core_spec, "core") + " set aside on each node");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace schedlens::cli
