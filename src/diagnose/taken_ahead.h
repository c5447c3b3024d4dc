// SPDX-License-Identifier: Apache-2.0
#pragma once
// What those ahead in the queue take of limits and licences in the scheduler's next cycle, so that
// it is known of one that fits by itself whether these still have room when its turn comes.

#include <cstdint>
#include <unordered_map>

#include "diagnose/account_limits.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

class TakenAhead {
 public:
  // Both must outlive it.
  TakenAhead(const model::Snapshot& snapshot, const AccountLimits& limits)
      : snapshot_(snapshot), limits_(limits) {}

  bool leaves_room(const model::Workload& w, const Shape& shape) const;
  // It starts, with all its tasks.
  void take(const model::Workload& w, const Shape& shape);

 private:
  bool leaves_licences(const model::Workload& w) const;

  const model::Snapshot& snapshot_;
  const AccountLimits& limits_;
  std::unordered_map<LimitKey, double, LimitKeyHash> taken_;  // by limit
  std::unordered_map<Symbol, std::uint64_t> licences_;
};

}  // namespace schedlens::diagnose
