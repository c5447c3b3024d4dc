// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Snapshot as it would be after a change, and what becomes of one workload in it.

#include <functional>
#include <memory>
#include <vector>

#include "diagnose/explain.h"
#include "model/kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// Changes what a Snapshot holds; ids stay what they are.
using Edit = std::function<void(model::Snapshot&)>;
std::shared_ptr<const model::Snapshot> edited(const model::Snapshot& snapshot,
                                              const std::vector<Edit>& edits);

struct WhatIf {
  std::shared_ptr<const model::Snapshot> snapshot;
  std::shared_ptr<Explainer> explainer;  // of that
  RootCause cause = RootCause::kUnknown;
  // Nothing stands between the workload and its start but the scheduler's next cycle.
  bool starts = false;
};
WhatIf what_if(const model::Snapshot& snapshot, model::WorkloadId id,
               const std::vector<Edit>& edits);

// What a workload holds on one of its nodes: as read in detail, else an equal part of all.
model::NodeAllocation held_on(const model::Workload& w, model::NodeId node);
// Ends a workload that holds resources, and gives these back to its nodes.
void end_workload(model::Snapshot& snapshot, model::WorkloadId id);
// Changes what a Kubernetes cluster says beside its nodes and pods.
void change_kubernetes(model::Snapshot& snapshot,
                       const std::function<void(model::Kubernetes&)>& how);
// Puts a node back into service.
void return_node(model::Snapshot& snapshot, model::NodeId id);

}  // namespace schedlens::diagnose
