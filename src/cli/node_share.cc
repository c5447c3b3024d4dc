// SPDX-License-Identifier: Apache-2.0
#include "cli/node_share.h"

#include <algorithm>
#include <vector>

#include "cli/gpu_map.h"
#include "cli/words.h"

namespace schedlens::cli {
namespace {

NodeShare detailed(const model::NodeAllocation& part) {
  NodeShare share{.gpus = 0, .gpu_indexes = "", .cpus = part.cpus, .memory = part.memory};
  std::vector<std::uint16_t> indexes;
  for (const auto& pool : part.gres) {
    if (pool.name != model::names::kGpu) continue;
    *share.gpus += pool.total;
    indexes.insert(indexes.end(), pool.used_indexes.begin(), pool.used_indexes.end());
  }
  std::sort(indexes.begin(), indexes.end());
  share.gpu_indexes = index_list(indexes);
  return share;
}

}  // namespace

NodeShare share_of(const model::Workload& w, model::NodeId node) {
  NodeShare share;
  const auto& parts = w.allocation.per_node;
  auto part = std::find_if(parts.begin(), parts.end(),
                           [&](const model::NodeAllocation& a) { return a.node == node; });
  if (part != parts.end()) {
    share = detailed(*part);
  } else if (w.allocation.nodes.size() == 1) {
    share.gpus = model::gpus_held(w);
    auto cpus = w.allocation.totals.get(model::names::kCpu);
    auto memory = w.allocation.totals.get(model::names::kMemory);
    if (cpus) share.cpus = static_cast<std::uint64_t>(*cpus);
    if (memory) share.memory = Bytes{static_cast<std::int64_t>(*memory)};
  } else if (model::gpus_held(w) == 0) {
    share.gpus = 0;
  }
  if (share.gpus == 0) share.gpu_indexes = "-";
  if (share.gpu_indexes.empty()) share.gpu_indexes = kUnknown;
  return share;
}

}  // namespace schedlens::cli
