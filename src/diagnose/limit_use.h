// SPDX-License-Identifier: Apache-2.0
#pragma once
// Amounts that limits count: what a waiting workload would take and what a running one takes.

#include <cstdint>

#include "base/symbol.h"
#include "diagnose/shape.h"
#include "model/limit.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// What a workload would be given when it starts, which can be more than it asked for: whole nodes,
// CPUs for each GPU, memory for each GPU.
class Wants {
 public:
  // cpus_of_a_node: the fewest that a node of its queue has.
  Wants(const model::Workload& w, const Shape& shape, std::uint32_t cpus_of_a_node);

  double in_all(Symbol resource) const;
  double on_one_node(Symbol resource) const;

 private:
  double gres(Symbol resource, bool per_node) const;

  const model::Workload& w_;
  const Shape& shape_;
  std::uint32_t cpus_of_a_node_;
};

// The fewest CPUs of a node of the queue; 0 without nodes.
std::uint32_t fewest_cpus(const model::Snapshot& snapshot, const model::Queue& queue);

// What a workload that holds resources takes of a limit's quantity now. Nothing for limits on the
// past (GrpTRESMins, GrpWall): who used it up is not in a Snapshot.
double running_use(const model::Snapshot& snapshot, const model::Workload& w, model::LimitKind kind,
                   Symbol resource);

}  // namespace schedlens::diagnose
