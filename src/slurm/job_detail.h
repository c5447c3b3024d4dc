// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show job -d -o JOB`: what squeue does not tell of a job: what it holds on each node,
// what it excludes, its exact range of nodes, what its memory figure is for.
//
// Job names and comments are free text. The name is known from squeue, so a record is recognised
// by its number and its whole name, and reading stops where the next free text may begin.

#include <string_view>
#include <vector>

#include "model/workload.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

// Completes those workloads that the output has a record of; returns how many that were. Fails
// when the record of none of them is found.
Result<std::uint64_t> complete_with_details(std::string_view text,
                                            const std::vector<model::Workload*>& workloads,
                                            NodeTable& nodes, Complaints& complaints);

}  // namespace schedlens::slurm
