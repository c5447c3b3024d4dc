// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a waiting Slurm job could gain by preempting others. The scheduler does that by itself: what
// matters is whether those that it may preempt are in the way at all, and from when on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace schedlens::diagnose {

// Whom a job may preempt while it waits in a queue.
class PreemptionRule {
 public:
  // The Snapshot must outlive it.
  PreemptionRule(const model::Snapshot& snapshot, const model::Workload& w,
                 const model::Queue& queue);

  bool nobody() const { return kind_ == Kind::kNobody; }
  // Who it may be was not read, or they are suspended and keep their memory, or the priority
  // decides among jobs of one QOS.
  bool not_followed() const { return kind_ == Kind::kNotFollowed; }
  // "jobs of QOS scavenger"; empty for nobody.
  const std::string& whom() const { return whom_; }

  bool may_preempt(const model::Workload& running) const;
  // When a running one may be preempted at the earliest.
  std::optional<Timestamp> from(const model::Workload& running) const;

 private:
  enum class Kind : std::uint8_t { kNobody, kQos, kTier, kNotFollowed };
  // How jobs are preempted: "REQUEUE", "CANCEL", "SUSPEND", "OFF"; empty without a mode of its own.
  std::string_view mode_of_qos(Symbol name) const;
  // Its own, else the scheduler's.
  std::string_view effective(std::string_view own) const;
  bool suspends() const;

  const model::Snapshot& snapshot_;
  Kind kind_ = Kind::kNobody;
  std::string whom_;
  std::vector<Symbol> qos_;
  std::uint32_t tier_ = 0;
};

struct Preemption {
  std::size_t running = 0;  // that it may preempt, wherever they run
  // The fewest of them whose end gives it its nodes; empty where even the end of all does not.
  std::vector<model::WorkloadId> ends;
  // From when on all of these may be preempted; absent where that is now.
  std::optional<Timestamp> from;
};
// Of a rule that is followed and of a job that does not fit.
Preemption preemption(const model::Snapshot& snapshot, const PreemptionRule& rule,
                      model::WorkloadId id);

}  // namespace schedlens::diagnose
