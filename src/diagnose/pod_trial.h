// SPDX-License-Identifier: Apache-2.0
#pragma once
// A waiting pod on one node as if some of the pods there were gone: all filters, without a new
// evaluation of the cluster. Only pods of that node can leave; what pods elsewhere forbid by spread
// or anti-affinity stays.

#include <cstdint>
#include <vector>

#include "diagnose/pod_evaluation.h"

namespace schedlens::diagnose {

class PodTrial {
 public:
  // All must outlive it.
  PodTrial(const PodCluster& cluster, model::WorkloadId id, const PodAnswer& answer,
           model::NodeId node);

  // Nothing keeps the pod off the node that no other pod's end could change.
  static bool open(const PodAnswer& answer, model::NodeId node);

  void leave(const AssignedPod& p);
  void come_back(const AssignedPod& p);  // one that has left
  bool passes() const;

  // What is short at this moment, by the pod's asks; at most 0 where enough is there.
  const std::vector<std::int64_t>& lacks() const { return lacks_; }
  bool lacks_place() const { return places_ < 1; }

 private:
  bool ports_free() const;
  bool has_left(model::WorkloadId id) const;
  bool passes_with(std::span<const AssignedPod> nominated) const;

  const PodCluster& cluster_;
  const model::Pod& pod_;
  const PodAnswer& answer_;
  model::NodeId node_;
  std::span<const AssignedPod> nominated_;  // to the node
  std::vector<AssignedPod> gone_;
  std::vector<std::int64_t> lacks_;
  std::int64_t places_ = 0;
};

}  // namespace schedlens::diagnose
