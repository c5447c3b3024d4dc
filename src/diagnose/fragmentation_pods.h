// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waiting GPU pods for fragmentation(): what one takes, which nodes the filters of kube-scheduler
// leave it, and whether room is all that it waits for.
//
// Asked once for all pods that the filters treat alike, so the cost goes with the templates. The
// filters judge one more pod; what the pods placed before it would change (spread, affinity between
// pods, ports) is followed only where a node takes one of them, and named in unsure() otherwise.

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "diagnose/fragmentation_shape.h"
#include "diagnose/pod_evaluation.h"
#include "diagnose/pod_gate.h"
#include "diagnose/pod_message.h"
#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::fitting {

class PodWishes {
 public:
  // The Snapshot must outlive it.
  explicit PodWishes(const model::Snapshot& snapshot);

  // The rooms' amounts as the scheduler counts them.
  void fill(Rooms& rooms) const;

  // Equal for pods with equal wishes.
  std::string likeness(model::WorkloadId id);
  struct Wish {
    Share share;
    std::vector<bool> member;  // by NodeId: open, and no filter but that of resources is against it
    std::string text;
  };
  Wish wish(model::WorkloadId id, const Rooms& rooms);

  // The scheduler tries to place it, by itself.
  bool waits_for_room(model::WorkloadId id);

  // What was not evaluated, of all that was asked.
  std::vector<std::string> unsure() const;

 private:
  // A node takes only one of these pods.
  bool once_per_node(const model::Pod& pod);
  Share share(const model::Workload& w, const Rooms& rooms) const;
  std::string describe(const model::Workload& w) const;
  void note_limits(const model::Pod& pod, const PodAnswer& answer);

  const model::Snapshot& snapshot_;
  PodEvaluation evaluation_;
  PodMessages messages_;
  PodGates gates_;
  std::set<Symbol> resources_;      // that waiting GPU pods ask for, without CPU and memory
  std::set<Symbol> gpu_resources_;  // of these, GPUs and parts of GPUs
  std::set<std::string> unsure_;
  std::set<Symbol> other_schedulers_;
  std::uint64_t in_groups_ = 0;
};

// Nodes with parts of GPUs, which never count as GPUs; pods that wait for such parts alone.
std::vector<std::string> parts_left_out(const model::Snapshot& snapshot);

}  // namespace schedlens::diagnose::fitting
