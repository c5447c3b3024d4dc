// SPDX-License-Identifier: Apache-2.0
#pragma once
// From names on pages to the pods, nodes and devices of one Snapshot.

#include <memory>
#include <string>
#include <vector>

#include "kube/measured.h"
#include "model/snapshot.h"
#include "model/usage.h"

namespace schedlens::kube {

// GPUs of one page, with the node whose exporter it is where that is known.
struct GpuPage {
  std::string node;
  std::vector<MeasuredGpu> gpus;
};

// What was measured last, by whom; absent where nobody of that kind has answered yet.
struct LastMeasured {
  std::optional<Measured> metrics_api;
  std::optional<std::vector<Measured>> kubelets;  // one for each node
  std::optional<std::vector<GpuPage>> gpus;
  bool no_metrics_api = false;
};

// Pods that are over, or that are not the ones that were measured, use nothing. Of several values
// for one pod or node the one that has both CPU and memory counts, then the newest. The Snapshot's
// nodes and workloads must be complete; its index need not be.
std::shared_ptr<const model::Usage> join_usage(const LastMeasured& last,
                                               const model::Snapshot& snapshot);

}  // namespace schedlens::kube
