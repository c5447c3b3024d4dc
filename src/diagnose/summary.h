// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sentences of a Verdict: what is the matter, further facts, why the scheduler says something
// else, and what is not known.

#include <string>
#include <vector>

#include "diagnose/assessment.h"
#include "diagnose/queue_position.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

// A component of the same group that cannot start, and why.
struct MissingComponent {
  model::WorkloadId id;
  RootCause cause = RootCause::kUnknown;
  std::string summary;
};

// All that is known when the sentences are written.
struct Findings {
  const model::Snapshot& snapshot;
  const model::Workload& workload;
  Assessor& assessor;
  const Assessment& assessment;
  const Standing& standing;
  // The verdict so far: limits, reservations, unhealthy nodes, GPUs, fit and those ahead.
  const Verdict& verdict;
  // For one that waits for its group; empty where the components fit one by one and not together.
  const std::vector<MissingComponent>& missing;
};

std::string summarize(const Findings& f);
std::vector<std::string> further_details(const Findings& f);
std::string reason_difference(const Findings& f);
std::vector<std::string> not_known(const Findings& f);
// For a workload that is not waiting.
std::string summarize_not_waiting(const model::Snapshot& snapshot, const model::Workload& w);

}  // namespace schedlens::diagnose
