// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one request of a ResourceClaim finds on the nodes: facts of a Verdict.

#include <cstdint>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "model/ids.h"

namespace schedlens::diagnose {

struct DevicesOfNode {
  model::NodeId node;
  std::uint32_t matching = 0;
  std::uint32_t free = 0;
  std::uint32_t tainted = 0;  // free but for a taint
};

struct DeviceRow {
  std::string claim;
  std::string request;  // "gpu", "gpu/large"
  Symbol device_class;
  bool all = false;         // every device that matches
  std::uint32_t count = 0;  // how many it asks for
  std::vector<std::string> selectors;
  std::vector<DevicesOfNode> nodes;  // those with a device that matches
  std::vector<std::string> held_by;  // claims that have devices which match
};

}  // namespace schedlens::diagnose
