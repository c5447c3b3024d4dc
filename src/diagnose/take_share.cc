// SPDX-License-Identifier: Apache-2.0
#include "diagnose/take_share.h"

#include <algorithm>

namespace schedlens::diagnose {

namespace {

// A job that shares its CPUs takes them of one row.
void share_cpus(NodeView& view, const Shape& shape, std::uint32_t cpus,
                const model::Snapshot& snapshot) {
  view.unshared |= !shape.shares_cpus;
  if (!shape.shares_cpus) return;
  auto it = std::find_if(view.rows.begin(), view.rows.end(),
                         [&](const CpuRows& r) { return r.queue == shape.queue; });
  if (it == view.rows.end()) {
    std::vector<std::uint32_t> unused(snapshot.queue(shape.queue).jobs_per_cpu, 0);
    it = view.rows.insert(it, {shape.queue, std::move(unused), view.cpus_used});
  }
  it->add(cpus, view.cpus);
}

}  // namespace

void take_share(NodeView& view, const Shape& shape, std::uint32_t nodes,
                const model::Snapshot& snapshot) {
  if (shape.whole_nodes) {
    view.cpus_used = view.cpus;
    for (auto& d : view.devices) d.used = d.total;
    view.held_whole = true;
    return;
  }
  auto part = [nodes](std::uint64_t all) { return (all + nodes - 1) / nodes; };
  std::uint64_t gpus = 0;
  for (const auto& d : shape.devices) {
    auto left = std::max(d.per_node, part(d.per_job));
    if (d.name == model::names::kGpu) gpus += left;
    for (auto& pool : view.devices) {
      if (pool.name != d.name || (!d.type.empty() && pool.type != d.type)) continue;
      auto now = std::min(left, pool.total - std::min(pool.total, pool.used));
      pool.used += now;
      left -= now;
    }
  }
  auto cpus = std::max<std::uint64_t>(shape.cpus_per_node, part(shape.cpus));
  cpus = std::max<std::uint64_t>(cpus, gpus * shape.cpus_per_gpu);
  auto threads = std::max(1u, view.threads_per_core);
  cpus = (cpus + threads - 1) / threads * threads;
  share_cpus(view, shape, static_cast<std::uint32_t>(cpus), snapshot);
  view.cpus_used =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(view.cpus, view.cpus_used + cpus));
  auto memory = shape.memory_on_node();
  if (shape.memory_per == MemoryDemand::kPerCpu) {
    memory = shape.memory * static_cast<std::int64_t>(cpus);
  } else if (shape.memory_per == MemoryDemand::kPerGpu) {
    memory = shape.memory * static_cast<std::int64_t>(gpus);
  } else if (shape.memory_per == MemoryDemand::kWholeNode) {
    memory = view.memory;
  }
  view.memory_used += memory;
}

}  // namespace schedlens::diagnose
