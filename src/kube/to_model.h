// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pods and nodes in the words that every part of the program knows.

#include <cstdint>
#include <optional>

#include "kube/decode_node.h"
#include "kube/decode_pod.h"
#include "kube/gpu_names.h"
#include "model/ids.h"
#include "model/node.h"
#include "model/pod.h"
#include "model/workload.h"

namespace schedlens::kube {

// node is the pod's node where there is such a Node object: a pod bound to a name that no node has
// holds nothing. A priority of 0 or less has no place in Workload::priority, where 0 means held;
// the pod has it.
model::Workload to_workload(const DecodedPod& pod, std::optional<model::NodeId> node,
                            const GpuNames& gpus);

// Gives the workload what to_workload would have given it on that node; nothing is copied where it
// is there already.
void set_node(model::Shared<model::Workload>& workload, std::optional<model::NodeId> node);

// What the pods bound to one node hold of it, as the scheduler sums it up.
class NodeUse {
 public:
  // Pods that are over hold nothing; those being deleted hold all until they are gone.
  void add(const model::Pod& pod);

  const model::Quantities& requested() const { return requested_; }
  std::uint32_t pods() const { return pods_; }
  // Beside what comes with the node: pods of DaemonSets and of the kubelet's own manifests.
  std::int64_t work_cpu() const { return work_.get(model::names::kKubeCpu); }

 private:
  model::Quantities requested_;
  model::Quantities work_;
  std::uint32_t pods_ = 0;
};

// cpus and memory are the capacity, with allocatable as what pods can get. A pool of devices counts
// what is allocatable; unhealthy devices are in object->capacity alone, and a pool of which none is
// healthy stays, with a total of 0.
model::Node to_node(const DecodedNode& node, const NodeUse& use, const GpuNames& gpus);

}  // namespace schedlens::kube
