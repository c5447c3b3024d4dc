// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts and times as a program's own metrics give them: cumulated since it started.

#include <optional>
#include <vector>

#include "base/symbol.h"

namespace schedlens::model {

// How often something took place and how long that took in all.
struct Durations {
  double count = 0;
  double seconds = 0;
  friend bool operator==(const Durations&, const Durations&) = default;
};

// Of those, the ones that took no longer than some bounds.
struct DurationBucket {
  double bound = 0;  // seconds
  double count = 0;  // cumulated: those of the smaller bounds included
  friend bool operator==(const DurationBucket&, const DurationBucket&) = default;
};
struct DurationHistogram {
  Durations total;
  std::vector<DurationBucket> buckets;  // by bound; the one without a bound is total.count
  friend bool operator==(const DurationHistogram&, const DurationHistogram&) = default;
};

// The bound within which this share (0 to 1) of them stayed. Absent when there were none, and when
// it took longer than every bound.
std::optional<double> bound_of_share(const DurationHistogram& histogram, double share);

struct NamedDurations {
  Symbol name;
  Durations durations;
};
struct NamedHistogram {
  Symbol name;
  DurationHistogram histogram;
};
struct NamedCount {
  Symbol name;
  double count = 0;
};

}  // namespace schedlens::model
