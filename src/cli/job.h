// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens job ID`: what was asked, what was given, and how its nodes do.

#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// Facts about how a running workload uses what it holds, a sentence each; only what the Snapshot
// shows, so nothing about GPUs at work, and of nodes only those it has for itself.
std::vector<std::string> efficiency_facts(const model::Snapshot& snapshot,
                                          const model::Workload& workload);

std::string render_job(const model::Snapshot& snapshot, model::WorkloadId id,
                       diagnose::RootCause cause, const Style& style);

}  // namespace schedlens::cli
