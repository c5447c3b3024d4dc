// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would free a hole: the fewest running workloads whose end, move or preemption gives a
// waiting one its nodes, and when they end by themselves.

#include <functional>
#include <optional>
#include <vector>

#include "base/units.h"
#include "model/ids.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct Hole {
  std::vector<model::WorkloadId> ends;
  std::vector<model::NodeId> nodes;    // that it would have then, of those that were in use
  std::optional<Timestamp> by_itself;  // by their time limits; absent where one has none
};

// By their time limits; absent where one has none.
std::optional<Timestamp> last_end(const model::Snapshot& snapshot,
                                  const std::vector<model::WorkloadId>& ids);

// For a job of Slurm whose place is decided by its nodes. Exact on each node up to three workloads,
// then the largest first; nodes are taken by the fewest further workloads. Nothing where no running
// workload is in the way. may_end: the only ones to be looked at; all, where it is empty.
using MayEnd = std::function<bool(model::WorkloadId)>;
std::optional<Hole> smallest_hole(const model::Snapshot& snapshot, model::WorkloadId id,
                                  const MayEnd& may_end = {});

}  // namespace schedlens::diagnose
