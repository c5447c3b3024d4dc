// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one page says pods, nodes and GPUs use, by the names that stand on the page. Which pod of
// the cluster that is, and whether it still is, is found out when a Snapshot is made.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "model/usage.h"

namespace schedlens::kube {

// Seconds or bytes of one container: what is above it is no measurement.
inline constexpr double kMostMeasured = 1e14;

struct MeasuredPod {
  std::string ns, name;
  std::string uid;  // empty where the page does not say
  model::Use use;
};

struct MeasuredNode {
  std::string name;
  model::Use use;
};

struct Measured {
  std::vector<MeasuredPod> pods;
  std::vector<MeasuredNode> nodes;
};

// A GPU with those that hold it as "namespace/pod"; its own pods stays empty until then.
struct MeasuredGpu {
  model::GpuUse gpu;
  std::string host;  // the label Hostname, which may be the exporter's own
  std::vector<std::string> holders;
};

}  // namespace schedlens::kube
