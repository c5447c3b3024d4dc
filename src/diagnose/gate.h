// SPDX-License-Identifier: Apache-2.0
#pragma once
// What keeps the scheduler from looking at a workload at all, whatever the nodes: holds,
// dependencies, begin times, array throttles, its own reservation.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diagnose/reservation_tests.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

class Gates {
 public:
  // Both must outlive it.
  Gates(const model::Snapshot& snapshot, const ReservationTests& reservations);

  // kNone when nothing does.
  RootCause cause(const model::Workload& w) const;

  // The same in words, with facts about what it waits for. Only for a workload with a cause.
  std::string summary(const model::Workload& w) const;
  std::vector<std::string> details(const model::Workload& w) const;
  std::optional<ReachedLimit> throttle(const model::Workload& w) const;

 private:
  bool throttled(const model::Workload& w) const;
  std::uint32_t running_tasks(const model::Workload& w) const;

  const model::Snapshot& snapshot_;
  const ReservationTests& reservations_;
  std::unordered_map<std::uint32_t, std::uint32_t> running_tasks_;  // by array
};

// Slurm put it on hold because its constraints could not be satisfied.
bool held_for_constraints(const model::Workload& w);

}  // namespace schedlens::diagnose
