// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Kubernetes Node object says that a Slurm node has no word for. Immutable and shared by the
// source and every Snapshot that shows it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/labels.h"
#include "model/pod.h"
#include "model/quantities.h"

namespace schedlens::model {

struct NodeCondition {
  Symbol type;  // "Ready", "MemoryPressure", or somebody's own
  bool status = false;
  bool unknown = false;  // status "Unknown": the kubelet has stopped reporting
  Symbol reason;
  std::string message;
  std::optional<Timestamp> since;
  friend bool operator==(const NodeCondition&, const NodeCondition&) = default;
};

struct NodeObject {
  std::string uid;
  Labels labels;
  std::vector<Taint> taints;  // in the object's order
  bool unschedulable = false;
  // Devices that the kubelet found unhealthy are in capacity and not in allocatable.
  Quantities capacity;
  Quantities allocatable;
  std::vector<NodeCondition> conditions;
  std::string kubelet_version;
  std::int32_t kubelet_port = 0;  // 0: it did not say
  std::optional<Timestamp> created;

  const NodeCondition* condition(Symbol type) const;
};
using NodeObjectPtr = std::shared_ptr<const NodeObject>;

}  // namespace schedlens::model
