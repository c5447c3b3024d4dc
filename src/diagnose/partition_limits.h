// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a partition itself asks of a request: its rules and bounds. None of them depends on what
// runs, so waiting does not help where one is met.

#include <vector>

#include "diagnose/limit_hit.h"
#include "diagnose/shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

std::vector<LimitHit> partition_limits(const model::Snapshot& snapshot, const model::Workload& w,
                                       const Shape& shape);

// The partition starts no jobs at all.
bool suspended(const model::Queue& queue);

// Only members of some groups may use it, and group membership is not part of a Snapshot.
bool depends_on_groups(const model::Queue& queue);

}  // namespace schedlens::diagnose
