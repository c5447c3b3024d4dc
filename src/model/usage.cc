// SPDX-License-Identifier: Apache-2.0
#include "model/usage.h"

#include <algorithm>

namespace schedlens::model {
namespace {

template <class Item, class Id>
const Use* find_use(const std::optional<std::vector<Item>>& items, Id Item::*key, Id id) {
  if (!items) return nullptr;
  const auto at = std::lower_bound(items->begin(), items->end(), id,
                                   [&](const Item& item, Id wanted) { return item.*key < wanted; });
  return at != items->end() && (*at).*key == id ? &at->use : nullptr;
}

}  // namespace

std::string_view view_name(UsageView view) {
  constexpr std::string_view kNames[] = {"metrics_api", "kubelet_resource", "kubelet_summary",
                                         "cadvisor"};
  return kNames[static_cast<int>(view)];
}

const Use* Usage::of_pod(WorkloadId pod) const {
  return find_use(pods, &PodUse::pod, pod);
}

const Use* Usage::of_node(NodeId node) const {
  return find_use(nodes, &NodeUse::node, node);
}

}  // namespace schedlens::model
