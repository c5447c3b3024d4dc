// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sees nodes leave service and come back, from one Snapshot to the next. What jobs do to a node's
// state (idle, mixed, allocated) is no change.

#include <string>
#include <unordered_map>
#include <vector>

#include "memory/records.h"
#include "model/snapshot.h"

namespace schedlens::history {

// "in service", "drained", "down", "maint", ...: what is compared and told.
std::string service_state(const model::Node& node);

class NodeChanges {
 public:
  // last: the newest change known of each node from before, so that what happened while nobody
  // looked is told as one change.
  explicit NodeChanges(const std::vector<memory::NodeChange>& last = {});

  // Snapshots in the order of time; one thread. Nothing while the nodes were not read.
  std::vector<memory::NodeChange> feed(const model::Snapshot& snapshot);

 private:
  struct Known {
    std::string state, reason;
  };
  std::unordered_map<std::string, Known> known_;
};

}  // namespace schedlens::history
