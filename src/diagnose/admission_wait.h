// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why Kueue has not admitted a Workload: its queues, its checks, the quota of its ClusterQueue and
// cohort, and who is ahead of it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/verdict.h"
#include "model/kubernetes.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct AdmissionWait {
  RootCause cause = RootCause::kUnknown;
  std::string summary;
  std::vector<std::string> details;
  std::vector<ReachedLimit> limits;
  std::string message;  // Kueue's own
};

// Admitted, or finished: it waits no more.
bool is_admitted(const model::AdmissionWorkload& workload);
bool is_finished(const model::AdmissionWorkload& workload);

// Of one that is neither. The Snapshot is of a Kubernetes cluster.
AdmissionWait admission_wait(const model::Snapshot& snapshot,
                             const model::AdmissionWorkload& workload);

// Its place among those that wait in the same ClusterQueue, by priority and then by time.
struct AdmissionPlace {
  std::uint32_t place = 1;
  std::uint32_t waiting = 1;
};
std::optional<AdmissionPlace> admission_place(const model::Kubernetes& kubernetes,
                                              const model::AdmissionWorkload& workload);

}  // namespace schedlens::diagnose
