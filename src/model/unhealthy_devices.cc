// SPDX-License-Identifier: Apache-2.0
#include "model/unhealthy_devices.h"
#include "model/node_object.h"

#include <string_view>

namespace schedlens::model {

Quantities unhealthy_devices(const NodeObject& node) {
  Quantities unhealthy;
  for (const auto& item : node.capacity.items()) {
    if (item.name.view().find('/') == std::string_view::npos) continue;
    const auto missing = item.amount - node.allocatable.get(item.name);
    if (missing > 0) unhealthy.set(item.name, missing);
  }
  return unhealthy;
}

}  // namespace schedlens::model
