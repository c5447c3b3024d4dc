// SPDX-License-Identifier: Apache-2.0
#pragma once
// The limits on use from now on, given when each running workload ends: when a waiting one may
// start as far as QOS and associations are concerned. Past use that only decays (GrpTRESMins,
// GrpWall) is not followed: where it keeps one from starting now, it does for ever.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "diagnose/assessment.h"
#include "diagnose/room_ahead.h"

namespace schedlens::diagnose {

class LimitsAhead {
 public:
  // Must outlive it, and its courses.
  explicit LimitsAhead(const Assessor& assessor) : assessor_(assessor) {}

  // One that will be asked about.
  void add(model::WorkloadId id, const model::Workload& w, const ShapeAnswer& answer);

  // One way that things may go.
  class Course {
   public:
    // The earliest start from then on that no limit forbids while it runs; kNever if there is none.
    Offset first(model::WorkloadId id, Offset not_before, Offset runs) const;
    void take(model::WorkloadId id, Offset start, Offset runs);

   private:
    friend class LimitsAhead;
    using Changes = std::map<Offset, double>;  // of the use
    static Offset first_under(const Changes& changes, double use, double most, Offset start,
                              Offset runs);
    const LimitsAhead* limits_ = nullptr;
    std::vector<Changes> changes_;  // by bound
  };
  // ends: of what runs, by WorkloadId. Everybody has been added before.
  Course course(const std::vector<Offset>& ends);

 private:
  struct Bound {
    LimitHit hit;
    double wanted = 0;  // by all that wait
    bool scarce() const { return *hit.limit.used + wanted > hit.limit.limit; }
    bool counted = false;
    std::vector<std::pair<model::WorkloadId, double>> running;
  };
  struct Wish {
    std::size_t bound = 0;
    double amount = 0;
  };
  const Assessor& assessor_;
  std::vector<Bound> bounds_;
  std::unordered_map<LimitKey, std::size_t, LimitKeyHash> by_key_;
  std::unordered_map<model::WorkloadId, std::vector<Wish>> wishes_;
};

}  // namespace schedlens::diagnose
