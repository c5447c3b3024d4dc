// SPDX-License-Identifier: Apache-2.0
#pragma once
// Evaluates waiting workloads against the real nodes, limits and queue of a Snapshot.
//
// Equal requests and equal nodes cost what one of each costs: an Explainer groups the nodes into
// classes once and remembers the evaluation of each request shape.

#include <memory>
#include <optional>
#include <vector>

#include "diagnose/queue_position.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct MissingComponent;
class PodExplainer;

// One thread at a time; the Snapshot must outlive it.
class Explainer {
 public:
  explicit Explainer(const model::Snapshot& snapshot, Plans plans = Plans::kOfNow);
  ~Explainer();

  // The whole answer, with node lists.
  Verdict explain(model::WorkloadId id);
  // Only the class, for counting over a whole queue.
  RootCause classify(model::WorkloadId id);
  // Nothing stands between a waiting workload and its start but the next cycle of its scheduler.
  bool starts_next(model::WorkloadId id);
  // Of a pod that starts_next(): the room may go to others that wait, all the same.
  bool room_may_go_to_others(model::WorkloadId id);

  struct Prospect {
    RootCause cause = RootCause::kUnknown;
    bool starts_next = false;
  };
  // What would become of a waiting Slurm job if it alone were changed into this; nothing else of
  // the Snapshot is evaluated anew. Absent for a component of a group, on which others depend.
  std::optional<Prospect> as_if(model::WorkloadId id, const model::Workload& changed);

 private:
  // What keeps the rest of its group from starting. Only for one that waits for its group.
  std::vector<MissingComponent> missing_components(model::WorkloadId id);
  struct State;
  std::unique_ptr<State> state_;        // of Slurm
  std::unique_ptr<PodExplainer> pods_;  // of Kubernetes; one of the two is null
};

}  // namespace schedlens::diagnose
