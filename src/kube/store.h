// SPDX-License-Identifier: Apache-2.0
#pragma once
// The objects of one cluster as they are watched, and what they make of a Snapshot. Pods are held
// once: Snapshots share them, and their workloads, with the store until a pod changes.

#include <cstdint>
#include <memory>
#include <string_view>

#include "kube/gpu_names.h"
#include "kube/sink.h"
#include "model/snapshot.h"
#include "model/state_choice.h"

namespace schedlens::kube {

// The streams' thread feeds the sinks; any thread may read.
class Store {
 public:
  explicit Store(GpuNames gpus = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Kinds of which the details are kept; before the first sink() is asked for, and once.
  void keep_details(model::StateChoice choice);

  // Where the objects of a resource go ("pods", "resourcequotas"); null for one that nobody reads.
  Sink* sink(std::string_view resource);

  // Nodes, workloads and the Kubernetes part, by name. A resource of which no whole list was read
  // is absent, half a list included.
  void fill(model::Snapshot& snapshot, model::Kubernetes& kubernetes) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace schedlens::kube
