// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kueue: what waits to be admitted, the queues in which it waits and the quota that they share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/labels.h"
#include "model/pod.h"
#include "model/quantities.h"

namespace schedlens::model {

struct AdmittedResource {
  Symbol resource;
  Symbol flavor;
  std::int64_t amount = 0;  // of all its pods; cpu in thousandths
};

struct PodSet {
  std::string name;
  std::int32_t count = 0;
  Quantities request;  // of one pod
  std::vector<AdmittedResource> admitted;
};

struct AdmissionCheckState {
  std::string name;
  Symbol state;  // "Pending", "Ready", "Retry", "Rejected"
  std::string message;
};

// kueue.x-k8s.io Workload.
struct AdmissionWorkload {
  Symbol ns;
  std::string name;
  std::string uid;
  std::vector<OwnerReference> owners;  // the Job, or the pods of a group
  std::string queue;                   // LocalQueue
  std::optional<std::int32_t> priority;
  Symbol priority_class;
  bool active = true;
  std::vector<PodSet> pod_sets;
  Symbol cluster_queue;  // that holds quota for it; empty without a reservation
  std::vector<AdmissionCheckState> checks;
  std::vector<PodCondition> conditions;  // "QuotaReserved", "Admitted", "Evicted", "Finished"
  std::optional<Timestamp> created;
  std::optional<Timestamp> requeue_at;

  const PodCondition* condition(Symbol type) const;
};

struct LocalQueue {
  Symbol ns;
  std::string name;
  Symbol cluster_queue;
  Symbol stop_policy;  // "Hold", "HoldAndDrain"; empty or "None" while it takes workloads
  std::optional<std::int32_t> pending, admitted;
};

struct FlavorQuota {
  Symbol flavor;
  Symbol resource;
  std::int64_t nominal = 0;  // cpu in thousandths, as all below
  std::optional<std::int64_t> borrowing_limit, lending_limit;
  std::int64_t reserved = 0;
  std::int64_t borrowed = 0;
};

struct ClusterQueue {
  Symbol name;
  Symbol cohort;
  Symbol strategy;  // "StrictFIFO", "BestEffortFIFO"
  Symbol stop_policy;
  std::optional<LabelSelector> namespaces;
  std::vector<FlavorQuota> quotas;  // flavors in the order in which they are tried
  std::optional<std::int32_t> pending, admitted;
  std::vector<PodCondition> conditions;  // "Active"

  const PodCondition* condition(Symbol type) const;
};

struct ResourceFlavor {
  Symbol name;
  std::vector<Label> node_labels;
  std::vector<Taint> node_taints;
};

}  // namespace schedlens::model
