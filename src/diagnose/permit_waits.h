// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pods for which a node was found and that a plugin lets wait before they are bound (Permit), or
// whose binding is being prepared. No metric of the scheduler counts them while they wait.

#include <optional>
#include <vector>

#include "base/units.h"
#include "model/ids.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct PermitWait {
  model::WorkloadId pod;
  Symbol node;  // where it will be bound
  Seconds waiting;
};

// A scheduler of 1.35 or later names the node in the pod's status when it lets it wait; earlier
// ones tell nobody, and the list is absent. A pod that preempts others has a nominated node, too,
// and a condition that says why it did not fit; it is not listed.
std::optional<std::vector<PermitWait>> permit_waits(const model::Snapshot& snapshot);
// The same of one pod.
std::optional<PermitWait> permit_wait(const model::Snapshot& snapshot, model::WorkloadId id);

}  // namespace schedlens::diagnose
