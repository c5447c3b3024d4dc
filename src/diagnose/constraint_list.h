// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tests of one workload under the scheduler's own names, each with the nodes that it rules out.

#include <string>
#include <vector>

#include "diagnose/evaluation.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

// Over all nodes of the cluster; tests that rule out nothing are left out, most nodes first.
std::vector<Constraint> constraint_list(const Evaluation& evaluation, const ShapeAnswer& answer,
                                        const model::Workload& w);

// What the shape asks for in one phrase: "2 nodes with 8 GPUs and 64 CPUs each".
std::string describe(const Shape& shape);

// "1 GPU", "2 GPUs".
std::string plural(std::uint64_t count, std::string_view noun);

}  // namespace schedlens::diagnose
