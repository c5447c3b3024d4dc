// SPDX-License-Identifier: Apache-2.0
#pragma once
// The priority of a Slurm job elsewhere, or once it asks for less: a multifactor priority is a sum,
// some parts of which come from the partition and from the size of the request.

#include <cstdint>
#include <optional>

#include "model/snapshot.h"

namespace schedlens::diagnose {

// Of the job in one of the partitions it names.
std::optional<std::uint64_t> priority_in(const model::Snapshot& snapshot, const model::Workload& w,
                                         const model::Queue& queue);

// Puts the priority that a job has once it has become `after`, which waits in one partition or in
// the same as before. It stays where its parts are not known, or somebody has set it.
void adapt_priority(const model::Snapshot& snapshot, const model::Workload& before,
                    model::Workload& after);

}  // namespace schedlens::diagnose
