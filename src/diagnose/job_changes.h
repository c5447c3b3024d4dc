// SPDX-License-Identifier: Apache-2.0
#pragma once
// Changes to a waiting Slurm job, or to what it waits for, each as the command that makes it. None
// is proven here; see remedy.h.

#include <vector>

#include "diagnose/remedy_step.h"

namespace schedlens::diagnose {

// By its user.
std::vector<Step> elsewhere(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> shorter_limit(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> fewer_wishes(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> smaller_request(const model::Snapshot& snapshot, const Verdict& v);
// What fits under the limits that it meets.
std::vector<Step> within_limits(const model::Snapshot& snapshot, const Verdict& v);

// By an operator.
std::vector<Step> returned_nodes(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> released_reservations(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> raised_limits(const model::Snapshot& snapshot, const Verdict& v);
std::vector<Step> raised_priority(const model::Snapshot& snapshot, const Verdict& v);
// The fewest running jobs whose end gives back the licences that it lacks.
std::vector<Step> ended_holders(const model::Snapshot& snapshot, const Verdict& v);
// Running jobs that fill the limits it meets, as few as make room under them.
std::vector<Step> ended_under_limits(const model::Snapshot& snapshot, const Verdict& v);
// The fewest running jobs whose end gives it room.
std::vector<Step> ended_workloads(const model::Snapshot& snapshot, const Verdict& v);

}  // namespace schedlens::diagnose
