// SPDX-License-Identifier: Apache-2.0
#pragma once
// QOS and association limits, in Slurm's order and with its hiding rules.
//
// The partition's QOS comes before the job's (reversed by the job QOS's flag OverPartQOS). The
// first of them that bounds a quantity hides the same bound of the second and of every association,
// quantity by quantity; a QOS's MaxJobsPerUser or MaxJobsPerAccount hides an association's MaxJobs.
// Group limits count at the user's association and at every parent up to the root, the others only
// at the user's own.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnose/limit_hit.h"
#include "diagnose/shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

class AccountLimits {
 public:
  // The Snapshot must outlive it.
  explicit AccountLimits(const model::Snapshot& snapshot);

  // Limits that keep it from starting now. Without the use that fills them.
  std::vector<LimitHit> reached(const model::Workload& w, const Shape& shape) const;

  // All limits on use that count the workload, met or not; without the names of holder, limit and
  // unit.
  std::vector<LimitHit> counting(const model::Workload& w, const Shape& shape) const;

  // The running workloads that count for the limit, and by how much, in the order of their ids.
  std::vector<std::pair<model::WorkloadId, double>> counted(const LimitHit& hit) const;

  // Who fills it, largest first: users of a group's limit, jobs of one user's.
  std::vector<LimitUse> filled_by(const LimitHit& hit) const;

  // Limits are enforced (AccountingStorageEnforce); true when that is not known.
  bool enforced() const { return enforced_; }
  // Neither QOS nor associations were read: nothing can be said about limits.
  bool unknown() const { return snapshot_.qos.empty() && snapshot_.associations.empty(); }

  // Nodes of the running workloads that count for the limit, ascending.
  std::vector<model::NodeId> nodes_used(const LimitHit& hit) const;

 private:
  // The bounds in a list of limits that really bound something.
  using Bounds = std::vector<const model::Limit*>;
  struct QosBounds {
    Bounds own, each_user, each_account;
    std::unordered_map<Symbol, const model::LimitHolder*> users, accounts;
  };
  class Walk;

  bool counts_for(const LimitScope& scope, const model::Workload& w) const;
  bool under(std::uint32_t ancestor, const model::Association* association) const;
  double used_by_running(const LimitScope& scope, model::LimitKind kind, Symbol resource) const;

  const model::Snapshot& snapshot_;
  bool enforced_ = true;
  bool safe_ = false;
  std::vector<std::uint32_t> fewest_cpus_;  // of a node, by queue
  std::unordered_map<const model::Qos*, QosBounds> qos_;
  std::unordered_map<std::uint32_t, Bounds> associations_;
  // Use that the scheduler did not say, summed over running workloads once.
  mutable std::unordered_map<LimitKey, double, LimitKeyHash> running_use_;
};

// The association above, the account's for a user's own; null for the root.
const model::Association* parent(const model::Snapshot& snapshot, const model::Association& a);

// What a limit of this kind counts: "", "jobs", "minutes" or "bytes" (then in bytes, also times
// minutes).
std::string limit_unit(model::LimitKind kind, Symbol resource);

}  // namespace schedlens::diagnose
