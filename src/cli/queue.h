// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens queue`: one line for each waiting or running workload.

#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

std::string render_queue(const model::Snapshot& snapshot, const api::Causes& causes,
                         const std::vector<model::WorkloadId>& shown, const Style& style);

// `schedlens why --all`: what waits, by root cause.
std::string render_causes(const model::Snapshot& snapshot,
                          const std::vector<api::CauseGroup>& groups, const Style& style);

}  // namespace schedlens::cli
