// SPDX-License-Identifier: Apache-2.0
#include "model/unhealthy_devices.h"

#include <algorithm>
#include <string_view>

#include "model/gpu_parts.h"
#include "model/node_object.h"

namespace schedlens::model {
namespace {

const Symbol kGpu{"nvidia.com/gpu"};
constexpr std::string_view kSlicePrefix = "nvidia.com/mig-";

bool is_device(Symbol resource) {
  return resource.view().find('/') != std::string_view::npos;
}

bool offers_slices(const NodeObject& node) {
  const auto& items = node.capacity.items();
  return std::any_of(items.begin(), items.end(),
                     [](const auto& item) { return item.name.view().starts_with(kSlicePrefix); });
}

}  // namespace

std::int64_t devices_there(const NodeObject& node, Symbol resource) {
  const auto capacity = node.capacity.find(resource);
  if (!capacity) return 0;
  if (*capacity > 0 || resource != kGpu || offers_slices(node)) return *capacity;
  return std::max<std::int64_t>(0, counted_gpus(node).value_or(0));
}

Quantities unhealthy_devices(const NodeObject& node) {
  Quantities unhealthy;
  for (const auto& item : node.capacity.items()) {
    if (!is_device(item.name)) continue;
    const auto missing = devices_there(node, item.name) - node.allocatable.get(item.name);
    if (missing > 0) unhealthy.set(item.name, missing);
  }
  return unhealthy;
}

}  // namespace schedlens::model
