// SPDX-License-Identifier: Apache-2.0
#pragma once
// A pod that fits and is not placed: when the scheduler will look at it again, and what makes it
// look at once. Since 1.32 a pod that was turned down sleeps until an event that some plugin which
// turned it down takes for a help, and not every help is taken for one.

#include <optional>
#include <string>
#include <vector>

#include "diagnose/pod_message.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct Wake {
  bool asleep = false;  // for longer than the backoff explains
  std::string summary;
  std::vector<std::string> details;
  std::vector<std::string> unsure;
};

// nodes: how many it fits on now, with an example.
Wake wake(const model::Snapshot& snapshot, model::WorkloadId id, const PodMessage& message,
          std::size_t nodes, const std::string& example);

}  // namespace schedlens::diagnose
