// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a pod that finds no room would find it without pods that are ending, without pods of
// lower priority, or without the fewest others: what preemption could and could not do for it, and
// what else would.

#include <string>
#include <vector>

#include "diagnose/pod_evaluation.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

// Sentences on the nodes that lack nothing but room, and on the verdict's preemption and hole. Of
// preemption only for a pod that outranks others by its priority, or does not preempt.
std::vector<std::string> room_to_come(const PodEvaluation& evaluation, const PodAnswer& answer,
                                      const Verdict& verdict);
// When the pods are over that the scheduler has preempted for it on the node it is nominated to.
std::string when_preempted_ones_end(const PodCluster& cluster, model::WorkloadId id,
                                    model::NodeId nominated);

}  // namespace schedlens::diagnose
