// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that waits, by root cause.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::api {

struct CauseGroup {
  diagnose::RootCause cause = diagnose::RootCause::kUnknown;
  std::vector<model::WorkloadId> workloads;  // in scheduling order
  std::uint64_t tasks = 0;                   // an array's record counts as its waiting tasks
  std::uint64_t gpus = 0;                    // asked for by all of them
  std::optional<Seconds> longest_wait;       // absent while none has become eligible
};

// Most GPUs waiting first, then most tasks.
std::vector<CauseGroup> group_by_cause(
    const model::Snapshot& snapshot,
    const std::vector<std::pair<model::WorkloadId, diagnose::RootCause>>& causes);

// By WorkloadId; kNone for what does not wait.
using Causes = std::vector<diagnose::RootCause>;
Causes causes_by_id(const model::Snapshot& snapshot, const std::vector<CauseGroup>& groups);

}  // namespace schedlens::api
