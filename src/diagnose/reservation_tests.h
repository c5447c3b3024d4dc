// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which reservations close their nodes to a workload that would start now and run to its limit.

#include <optional>
#include <vector>

#include "base/units.h"
#include "diagnose/shape.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

class ReservationTests {
 public:
  // The Snapshot must outlive it.
  explicit ReservationTests(const model::Snapshot& snapshot);

  ReservationView view(const model::Workload& w) const;

  // Those that close their nodes to it while they last, now or later.
  std::vector<std::uint32_t> closed_at_some_time(const model::Workload& w) const;

  // Its own reservation exists but is not active now: when it starts.
  std::optional<Timestamp> own_starts_later(const model::Workload& w) const;
  // It names a reservation that is over or that nobody knows.
  bool own_is_gone(const model::Workload& w) const;

  // Reservations of some cores only: their nodes are not closed, how much of them is free is not
  // known.
  const std::vector<std::uint32_t>& of_cores_only() const { return of_cores_only_; }

 private:
  ReservationView view(const model::Workload& w, std::optional<Timestamp> end) const;
  bool closes(const model::Reservation& r, const model::Workload& w,
              std::optional<Timestamp> end) const;

  const model::Snapshot& snapshot_;
  std::vector<std::uint32_t> of_nodes_, of_cores_only_;
};

// When it would end if it started now; absent when it may run for ever.
std::optional<Timestamp> end_if_started_now(const model::Snapshot& snapshot,
                                            const model::Workload& w);
// Its time limit, or what its queue gives it; absent when unlimited or not known.
std::optional<Seconds> run_limit(const model::Snapshot& snapshot, const model::Workload& w);

}  // namespace schedlens::diagnose
