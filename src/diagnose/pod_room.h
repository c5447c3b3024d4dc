// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would give a waiting pod its room on one node: others that the scheduler may preempt for it,
// or the end of a few.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.h"
#include "model/ids.h"

namespace schedlens::diagnose {

struct PodPreemption {
  bool may = true;  // false: its preemptionPolicy is Never
  model::NodeId node;
  std::vector<model::WorkloadId> victims;  // on that node, the most important first
  std::size_t budgets_broken = 0;          // victims whose disruption budget has nothing to spare
  std::optional<Seconds> grace;            // the longest of theirs, where it is known
  std::size_t nodes = 1;                   // where preemption would make room
  std::size_t alike = 1;                   // of these, that the scheduler takes as readily
};

// When running ones end by themselves.
struct PodEnd {
  std::optional<Timestamp> latest;    // by their deadlines
  std::optional<Timestamp> expected;  // by what others of the same owner took
  std::size_t observed = 0;           // that this was learnt from
};

struct PodHole {
  model::NodeId node;
  std::vector<model::WorkloadId> ends;
  PodEnd by_itself;
};

}  // namespace schedlens::diagnose
