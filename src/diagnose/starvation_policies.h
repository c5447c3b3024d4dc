// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which settings of the scheduler keep a starving workload waiting.

#include <vector>

#include "diagnose/starvation.h"

namespace schedlens::diagnose {

// The strongest first; one of kNone where no policy is behind it.
std::vector<PolicyFinding> policies_behind(const model::Snapshot& snapshot,
                                           const Starving& starving, const ClassWaits& waits,
                                           const Verdict& verdict);

}  // namespace schedlens::diagnose
