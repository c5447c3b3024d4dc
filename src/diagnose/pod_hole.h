// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fewest running pods of one node whose end would let a waiting pod start there, whatever their
// priority. For a job of Slurm see smallest_hole.h.

#include <optional>

#include "diagnose/pod_evaluation.h"
#include "diagnose/pod_room.h"

namespace schedlens::diagnose {

// Exact on each node up to three pods among some two dozen, beyond that the largest first. Pods
// that come with their node, that end already or that have the same owner are left alone. Nothing
// where no node would have room, or where the pod fits.
std::optional<PodHole> pod_hole(const PodCluster& cluster, model::WorkloadId id,
                                const PodAnswer& answer);

}  // namespace schedlens::diagnose
