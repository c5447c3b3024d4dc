// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the cluster autoscaler says of itself in the ConfigMap cluster-autoscaler-status.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace schedlens::model {

struct NodeGroup {
  std::string name;
  std::string health;                            // "Healthy"
  std::string scale_up;                          // "NoActivity", "InProgress", "Backoff"
  std::string backoff;                           // why, where it says so
  std::optional<std::int64_t> target, min, max;  // nodes
};

struct AutoscalerStatus {
  std::optional<Timestamp> time;
  std::vector<NodeGroup> groups;
};

}  // namespace schedlens::model
