// SPDX-License-Identifier: Apache-2.0
#pragma once
// What keeps kube-scheduler from looking for a node for a pod at all.

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "diagnose/pod_message.h"
#include "diagnose/verdict.h"
#include "model/kubernetes.h"
#include "model/pod.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct PodGate {
  RootCause cause = RootCause::kUnknown;
  std::string summary;
  std::vector<std::string> details;
  std::vector<ReachedLimit> limits;
  // Only a pod that nodes would take waits for this; otherwise what the nodes lack is the cause.
  bool if_it_fits = false;
};

class PodGates {
 public:
  // The Snapshot must outlive it.
  explicit PodGates(const model::Snapshot& snapshot);
  std::optional<PodGate> gate(model::WorkloadId id, const PodMessage& message) const;

 private:
  std::optional<PodGate> resource_claims(const model::Pod& pod) const;
  std::optional<PodGate> scheduling_gates(const model::Pod& pod) const;
  bool group_is_short(const model::Pod& pod) const;
  std::optional<PodGate> gang(const model::Pod& pod, const PodMessage& message) const;
  std::string telling_member(const model::Pod& pod,
                             const std::vector<model::WorkloadId>& members) const;

  const model::Snapshot& snapshot_;
  std::unordered_map<std::string, const model::ResourceClaim*> claims_;
  std::unordered_set<std::string> templates_;
  std::unordered_map<std::string, std::vector<model::WorkloadId>> groups_;  // by namespace/group
};

// Some running scheduler is known to take pods of that schedulerName.
bool is_served(const model::Kubernetes& kubernetes, Symbol scheduler);

}  // namespace schedlens::diagnose
