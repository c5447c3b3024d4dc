// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which nodes with GPUs their taints close to the usual GPU pod; part of fragmentation(). A taint
// is tolerated as usual when at least half of the running and waiting GPU pods of the scheduler
// (where it has none: of all) tolerate it. Without any GPU pods, only one whose key is a resource
// of the node: such tolerations are added to pods by an admission plugin.

#include <cstdint>
#include <string>
#include <vector>

#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose::fitting {

class UsualTolerations {
 public:
  explicit UsualTolerations(const model::Snapshot& snapshot);

  // Some taint of the node keeps the queue's usual GPU pod away.
  bool barred(std::uint32_t queue, std::uint32_t node) const;
  // "tolerates nvidia.com/gpu:NoSchedule"; empty for none of the cluster's taints.
  std::string text(std::uint32_t queue) const;
  // Taints that bar the usual pod and not every one.
  std::vector<std::string> unsure() const;

 private:
  struct Habit {
    std::uint64_t pods = 0;
    std::vector<std::uint64_t> tolerate;  // by place in taints_
  };
  void find_taints(const model::Snapshot& snapshot);
  bool usual(const Habit& habit, std::size_t taint) const;
  const Habit& habit(std::uint32_t queue) const;

  std::vector<model::Taint> taints_;                 // of nodes with GPUs, those that keep pods off
  std::vector<bool> names_resource_;                 // likewise
  std::vector<std::uint64_t> nodes_with_;            // likewise
  std::vector<std::vector<std::uint32_t>> of_node_;  // by NodeId
  std::vector<Habit> queues_;                        // by QueueId
  Habit cluster_;
};

}  // namespace schedlens::diagnose::fitting
