// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the cluster autoscaler does about a waiting pod, or why it does nothing.

#include <string>
#include <vector>

#include "diagnose/pod_message.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Empty where no autoscaler is known to run: neither its status nor an event of it was seen.
std::vector<std::string> autoscaler_notes(const model::Snapshot& snapshot, model::WorkloadId id,
                                          const PodMessages& messages);

}  // namespace schedlens::diagnose
