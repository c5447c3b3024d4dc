// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a group of pods that start together does not start: members that do not exist, the queue of
// its scheduler, or members that find no room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/verdict.h"
#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct GangWait {
  RootCause cause = RootCause::kUnknown;  // of the group's queue; unknown: it is the group itself
  std::string summary;
  std::vector<std::string> details;
  std::vector<ReachedLimit> limits;
  bool ask_others = false;       // what the group lacks is told by its other members
  bool lacks_only_this = false;  // all others that the group needs have a node
};

// Nothing for a pod that does not wait for its group. The members are those that are not over; the
// message is what the scheduler said of the pod.
std::optional<GangWait> gang_wait(const model::Snapshot& snapshot, const model::Pod& pod,
                                  const std::vector<model::WorkloadId>& members,
                                  std::string_view message);

}  // namespace schedlens::diagnose
