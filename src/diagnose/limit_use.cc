// SPDX-License-Identifier: Apache-2.0
#include "diagnose/limit_use.h"

#include <algorithm>

#include "base/text.h"

namespace schedlens::diagnose {

using model::LimitKind;

Wants::Wants(const model::Workload& w, const Shape& shape, std::uint32_t cpus_of_a_node)
    : w_(w), shape_(shape), cpus_of_a_node_(cpus_of_a_node) {}

std::uint32_t fewest_cpus(const model::Snapshot& snapshot, const model::Queue& queue) {
  std::uint32_t fewest = 0;
  for (auto id : queue.nodes) {
    const auto& node = snapshot.node(id);
    auto here = node.cpus_effective.value_or(node.cpus);
    fewest = fewest ? std::min(fewest, here) : here;
  }
  return fewest;
}

// "gres/gpu" or "gres/gpu:a100". A request without a type counts for a type only once it runs.
double Wants::gres(Symbol resource, bool per_node) const {
  auto name = resource.view().substr(5);
  auto typed = cut(name, ':');
  double sum = 0;
  for (const auto& d : shape_.devices) {
    if (d.name.view() != (typed ? typed->first : name)) continue;
    if (typed && d.type.view() != typed->second) continue;
    auto all = std::max(d.per_job, d.per_node * shape_.min_nodes);
    sum += static_cast<double>(per_node ? d.per_node : all);
  }
  return sum;
}

double Wants::in_all(Symbol resource) const {
  auto shown = w_.request.totals.get(resource);
  if (resource == model::names::kCpu) {
    double cpus = std::max(shown.value_or(0), static_cast<double>(shape_.cpus));
    cpus = std::max(cpus, static_cast<double>(shape_.gpus() * shape_.cpus_per_gpu));
    if (!shape_.whole_nodes) return cpus;
    // Whole nodes bring all their CPUs.
    return std::max(cpus, static_cast<double>(std::uint64_t{cpus_of_a_node_} * shape_.min_nodes));
  }
  if (resource == model::names::kMemory) {
    auto asked = static_cast<double>(shape_.memory_on_node().value) * shape_.min_nodes;
    if (shape_.memory_per == MemoryDemand::kPerGpu) {
      asked = static_cast<double>(shape_.memory.value) * static_cast<double>(shape_.gpus());
    } else if (shape_.memory_per == MemoryDemand::kPerCpu) {
      asked = static_cast<double>(shape_.memory.value) * shape_.cpus;
      // With whole nodes come all their CPUs, and the memory of each of them.
      if (shape_.whole_nodes) {
        asked = static_cast<double>(shape_.memory.value) * in_all(model::names::kCpu);
        return std::max(shown.value_or(0), asked);
      }
    }
    return shown ? *shown : asked;
  }
  if (resource == model::names::kNode) return shape_.min_nodes;
  if (resource.view().starts_with("gres/")) {
    return std::max(shown.value_or(0), gres(resource, false));
  }
  return shown.value_or(0);
}

double Wants::on_one_node(Symbol resource) const {
  if (resource == model::names::kCpu) return shape_.cpus_per_node;
  if (resource == model::names::kMemory) {
    return static_cast<double>(shape_.memory_on_node().value);
  }
  if (resource == model::names::kNode) return 1;
  if (resource.view().starts_with("gres/")) return gres(resource, true);
  return 0;
}

double running_use(const model::Snapshot& snapshot, const model::Workload& w, LimitKind kind,
                   Symbol resource) {
  switch (kind) {
    case LimitKind::kGrpJobs:
    case LimitKind::kMaxJobs:
    case LimitKind::kMaxJobsPerUser:
    case LimitKind::kMaxJobsPerAccount:
      return 1;
    case LimitKind::kGrpTres:
    case LimitKind::kMaxTresPerUser:
    case LimitKind::kMaxTresPerAccount:
      break;
    case LimitKind::kGrpTresRunMins:
    case LimitKind::kMaxTresRunMinsPerUser:
    case LimitKind::kMaxTresRunMinsPerAccount: {
      if (!w.start || !w.time_limit.has_value()) return 0;
      auto left = (*w.start + w.time_limit.value) - snapshot.time;
      auto amount = w.allocation.totals.get(resource).value_or(0);
      return amount * static_cast<double>(std::max<std::int64_t>(0, left.value)) / 60;
    }
    default:
      return 0;
  }
  if (resource == model::names::kNode && !w.allocation.totals.get(resource)) {
    return static_cast<double>(w.allocation.nodes.size());
  }
  if (resource == model::names::kGresGpu) {
    return static_cast<double>(gpu_count(w.allocation.totals));
  }
  return w.allocation.totals.get(resource).value_or(0);
}

}  // namespace schedlens::diagnose
