// SPDX-License-Identifier: Apache-2.0
#include "model/durations.h"

namespace schedlens::model {

std::optional<double> bound_of_share(const DurationHistogram& histogram, double share) {
  if (histogram.total.count <= 0) return std::nullopt;
  for (const auto& bucket : histogram.buckets) {
    if (bucket.count >= share * histogram.total.count) return bucket.bound;
  }
  return std::nullopt;
}

}  // namespace schedlens::model
