// SPDX-License-Identifier: Apache-2.0
#pragma once
// When running pods end by themselves: by activeDeadlineSeconds of their own or of their Job, by
// the end of their grace where they are being deleted, and by how long pods of the same owner took
// that have succeeded. Of most pods nothing is known.

#include <unordered_map>
#include <vector>

#include "diagnose/pod_room.h"
#include "diagnose/top_owner.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

class PodEnds {
 public:
  // Of a Kubernetes cluster; the Snapshot must outlive it.
  explicit PodEnds(const model::Snapshot& snapshot);

  PodEnd of(model::WorkloadId id) const;
  // Of the last of them.
  PodEnd of(const std::vector<model::WorkloadId>& ids) const;

 private:
  void observe(const model::Workload& w);
  std::optional<Timestamp> deadline(const model::Workload& w) const;

  const model::Snapshot& snapshot_;
  TopOwners owners_;
  std::unordered_map<std::string, Timestamp> job_deadlines_;  // by uid
  std::map<Owner, std::vector<Seconds>> run_times_;           // ascending
};

}  // namespace schedlens::diagnose
