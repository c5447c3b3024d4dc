// SPDX-License-Identifier: Apache-2.0
#pragma once
// One change that might help a waiting workload, not yet proven.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/remedy.h"
#include "diagnose/what_if.h"

namespace schedlens::diagnose {

struct Step {
  Actor who = Actor::kUser;
  RemedyKind kind = RemedyKind::kRelease;
  std::string command;
  std::string effect;
  Edit edit;
  std::vector<model::WorkloadId> ends;
  // Where nothing but the waiting job changes: the same edit of it. To be used while the Snapshot
  // lives that it was found for.
  std::function<void(model::Workload&)> change;
};

// One that takes an operator's rights.
inline Step by_operator(RemedyKind kind, std::string command, std::string effect, Edit edit) {
  return {Actor::kOperator, kind, std::move(command), std::move(effect), std::move(edit), {}, {}};
}

// Changes that answer the cause of the verdict, the one to try first in front.
std::vector<Step> job_steps(const model::Snapshot& snapshot, const Verdict& verdict);
std::vector<Step> pod_steps(const model::Snapshot& snapshot, const Verdict& verdict);

}  // namespace schedlens::diagnose
