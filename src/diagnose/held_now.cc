// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "diagnose/room_ahead.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {

namespace {

HeldNow::Use use_of(const model::NodeAllocation& part, const NodeView& node) {
  HeldNow::Use use;
  use.cpus = part.cpus.value_or(0);
  use.memory = part.memory.value_or(Bytes{});
  for (const auto& held : part.gres) {
    auto left = held.total;
    for (std::size_t i = 0; i < node.devices.size() && i < kMostDeviceKinds; ++i) {
      const auto& d = node.devices[i];
      if (d.name != held.name || (!held.type.empty() && d.type != held.type)) continue;
      const auto here = std::min<std::uint64_t>(left, d.used);
      use.devices[i] += static_cast<std::uint32_t>(here);
      left -= here;
    }
  }
  return use;
}

}  // namespace

HeldNow::HeldNow(const Evaluation& evaluation) {
  const auto& snapshot = evaluation.snapshot();
  const auto& nodes = evaluation.nodes();
  holds_.resize(snapshot.nodes.size());
  for (std::uint32_t i = 0; i < snapshot.workloads.size(); ++i) {
    const auto& w = snapshot.workload({i});
    if (!model::holds_resources(w)) continue;
    const bool whole = shares_with_nobody(snapshot, w);
    for (auto node : w.allocation.nodes) {
      const auto& view = nodes.classes[nodes.of_node[node.index]].view;
      holds_[node.index].push_back({{i}, use_of(held_on(w, node), view), whole});
    }
  }
}

}  // namespace schedlens::diagnose
