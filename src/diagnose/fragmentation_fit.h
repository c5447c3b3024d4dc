// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counting how many waiting workloads find room; part of fragmentation().

#include "diagnose/fragmentation.h"
#include "diagnose/fragmentation_pods.h"
#include "diagnose/fragmentation_shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::fitting {

// Fills queue and queue_gpus_*, adds to unsure. The rooms are those of the snapshot's nodes;
// pods is null but for Kubernetes.
void count_queue_fits(const model::Snapshot& snapshot, const Rooms& rooms, PodWishes* pods,
                      Fragmentation& result);

}  // namespace schedlens::diagnose::fitting
