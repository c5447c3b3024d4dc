// SPDX-License-Identifier: Apache-2.0
#pragma once
// The root cause of every waiting workload, looked up by its id.

#include <vector>

#include "api/pending_causes.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// By WorkloadId; kNone for what does not wait.
using Causes = std::vector<diagnose::RootCause>;
Causes causes_by_id(const model::Snapshot& snapshot, const std::vector<api::CauseGroup>& groups);

}  // namespace schedlens::cli
