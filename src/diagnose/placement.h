// SPDX-License-Identifier: Apache-2.0
#pragma once
// Choosing nodes for one shape among those that pass its tests: the number of nodes, and what must
// add up over them (CPUs, tasks, devices asked for per job).
//
// For one quantity, "the best N nodes" is exact. For several at once the nodes are ordered by each
// of them in turn and by all together; Slurm's own choice is a heuristic of the same kind.

#include <cstdint>
#include <utility>
#include <vector>

#include "diagnose/node_tests.h"
#include "diagnose/shape.h"

namespace schedlens::diagnose {

// Nodes that are alike for the shape.
struct Candidate {
  std::uint32_t id = 0;  // the caller's
  std::uint32_t count = 0;
  Share share;
};

struct Placement {
  bool fits = false;
  std::uint32_t passing = 0;                                    // candidate nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen;  // id, how many; when it fits
};

// required: nodes that must be among the chosen; not repeated in candidates.
Placement place(const Shape& shape, std::vector<Candidate> candidates,
                const std::vector<Candidate>& required = {});

}  // namespace schedlens::diagnose
