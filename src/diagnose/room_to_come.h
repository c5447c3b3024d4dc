// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a pod that finds no room would find it without pods that are ending, and without pods of
// lower priority: what preemption could and could not do for it.

#include <string>
#include <vector>

#include "diagnose/pod_evaluation.h"

namespace schedlens::diagnose {

// Sentences on the nodes that lack nothing but room. Of preemption only for a pod that outranks
// others by its priority, or does not preempt.
std::vector<std::string> room_to_come(const PodEvaluation& evaluation, model::WorkloadId id,
                                      const PodAnswer& answer);

}  // namespace schedlens::diagnose
