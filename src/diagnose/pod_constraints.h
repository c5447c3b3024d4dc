// SPDX-License-Identifier: Apache-2.0
#pragma once
// The filters that rule out nodes for a pod, under kube-scheduler's names, each with what it asks
// and whom it is about.

#include <vector>

#include "diagnose/pod_evaluation.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

// Over all nodes; filters that rule out nothing are left out, most nodes first.
std::vector<Constraint> pod_constraints(const PodEvaluation& evaluation, model::WorkloadId id,
                                        const PodAnswer& answer);

// What one filter asks of nodes, with the taints, domains or pods in the way.
std::string filter_detail(const PodEvaluation& evaluation, model::WorkloadId id,
                          const PodAnswer& answer, PodFilter filter);

}  // namespace schedlens::diagnose
