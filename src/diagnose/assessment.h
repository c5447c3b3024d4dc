// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the root cause of one workload's wait.
//
// The question is what alone would have to change for the workload to start, so the causes are
// tried in the order in which they make the later ones pointless:
//
//   1. What keeps the scheduler from looking at it: a lost reservation, a hold, a dependency, the
//      throttle of its array, a begin time, its own reservation that has not begun. What the
//      scheduler alone can know (its account is not valid, its burst buffer is not ready) is taken
//      from the scheduler's reason.
//   Then for each partition it names, and the best of them counts:
//   2. The partition: closed to all (limit), closed to this account or QOS (constraint), smaller in
//      its rules than the request (limit).
//   3. Limits that the request alone exceeds (limit).
//   4. It could not start on the empty, healthy cluster (impossible). Nothing that is not
//      understood may take part in this proof.
//   5. Limits filled by others (limit), licences in use (licence).
//   6. It fits now: the room goes to those ahead (priority), or another component of its group
//      cannot start (gang), or the scheduler does not come to it (not_considered).
//   7. It does not fit, but it would without the reservations of others (reservation).
//   8. The nodes in service that it may use do not have enough in sum, or fewer are in service than
//      it needs, or nodes that it insists on are out of service, and those out of service would
//      hold it (unhealthy_nodes). With enough in sum on the nodes in service, drained nodes are not
//      the cause even where they would hold it: the room is there and lies badly.
//   9. It would fit if it did not insist on features or refuse nodes (constraint).
//  10. Enough in sum, not in the shape asked, or GPUs free without the CPUs or memory that go with
//      them (fragmentation).
//  11. Not enough (capacity).

#include <cstdint>
#include <optional>
#include <vector>

#include "diagnose/account_limits.h"
#include "diagnose/evaluation.h"
#include "diagnose/gate.h"
#include "diagnose/limit_hit.h"
#include "diagnose/verdict.h"

namespace schedlens::diagnose {

struct Assessment {
  RootCause cause = RootCause::kUnknown;
  // What the cause was read from.
  enum class Step : std::uint8_t {
    kGate,
    kSchedulerReason,
    kNoPartition,
    kSuspended,
    kAccess,
    kLimits,
    kLicence,
    kNodes
  } step = Step::kNodes;
  std::optional<model::QueueId> queue;
  ShapeAnswer* answer = nullptr;  // in that queue; null without one
  bool fits = false;              // on the nodes
};

class Assessor {
 public:
  // The Snapshot must outlive it.
  explicit Assessor(const model::Snapshot& snapshot);

  // For a workload that fits now the cause is kPriority: whether it is that or kNotConsidered
  // depends on the queue.
  Assessment assess(const model::Workload& w);

  // Limits of the partition and of accounting that it meets in the queue.
  std::vector<LimitHit> limits(const model::Workload& w, const ShapeAnswer& answer) const;
  // Enough of everything is free in sum on the nodes it may use.
  static bool enough_in_sum(const Shape& shape, const Sums& sums);

  Evaluation& evaluation() { return evaluation_; }
  const Gates& gates() const { return gates_; }
  const AccountLimits& account_limits() const { return account_limits_; }

 private:
  Assessment in_queue(const model::Workload& w, model::QueueId queue);
  RootCause without_room(const model::Workload& w, ShapeAnswer& answer);
  bool provably_impossible(const model::Workload& w, ShapeAnswer& answer);
  bool required_out_of_service(const model::Workload& w) const;

  const model::Snapshot& snapshot_;
  Evaluation evaluation_;
  Gates gates_;
  AccountLimits account_limits_;
};

// A rule on who may use a partition, not on how much.
bool is_access_rule(const LimitHit& hit);

}  // namespace schedlens::diagnose
