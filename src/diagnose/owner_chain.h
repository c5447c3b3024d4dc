// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who made a pod, who made that, and the groups and queues that it belongs to.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct Belonging {
  Symbol kind;  // "Job", "JobSet", "VolcanoJob", "PodGroup", "Workload" of Kueue, "LocalQueue"
  std::string name;
};

// From the pod outwards: its owners, then its group, then what Kueue has of it.
std::vector<Belonging> owner_chain(const model::Kubernetes& kubernetes, const model::Pod& pod);
// "Job train-0, JobSet train, Workload jobset-train-1a2b, LocalQueue team-a"
std::string to_text(const std::vector<Belonging>& chain);

// How many pods of a group there are, those that are over aside.
struct GroupCount {
  std::uint32_t exist = 0;
  std::uint32_t bound = 0;  // have a node
  std::optional<std::int32_t> needed;
};
class GroupCounts {
 public:
  // Of a Kubernetes cluster; it must outlive this.
  explicit GroupCounts(const model::Snapshot& snapshot);
  // Of the pod's group; nothing for a pod without one.
  std::optional<GroupCount> of(const model::Pod& pod) const;

 private:
  const model::Kubernetes& kubernetes_;
  std::map<std::pair<Symbol, std::string>, GroupCount> by_name_;
};

// The Workload that stands for a pod: of its owners, of itself, or of its group. Null where none
// does or they were not read.
const model::AdmissionWorkload* admission_of(const model::Kubernetes& kubernetes,
                                             const model::Pod& pod);
// The group that the pod names; null where it names none or it does not exist.
const model::PodGroup* group_of(const model::Kubernetes& kubernetes, const model::Pod& pod);

}  // namespace schedlens::diagnose
