// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kube-scheduler would do to make room for a pod by ending pods of lower priority, by its own
// rules (pkg/scheduler/framework/plugins/defaultpreemption): on each node all of these leave, then
// come back one by one, the most important first, as long as the pod still fits; and the node is
// taken whose victims cost least. Beyond a hundred nodes and a tenth of them the scheduler looks
// only at some, from a random one on.

#include <optional>

#include "diagnose/pod_evaluation.h"
#include "diagnose/pod_room.h"

namespace schedlens::diagnose {

// Nothing where no node would have room; whether it may preempt at all is said in the result. For a
// pod that fits nowhere.
std::optional<PodPreemption> pod_preemption(const PodCluster& cluster, model::WorkloadId id,
                                            const PodAnswer& answer);

}  // namespace schedlens::diagnose
