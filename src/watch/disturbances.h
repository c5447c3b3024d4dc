// SPDX-License-Identifier: Apache-2.0
#pragma once
// What touched the cluster and makes its values no measure of what is usual: restarts of the
// scheduler, reservations. Read off the cluster's own metrics. One thread at a time.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "baseline/masks.h"
#include "memory/reader.h"
#include "metrics/samples.h"

namespace schedlens::watch {

// One that stands for longer is no disturbance: it is how things are.
inline constexpr Seconds kLongReservation{2 * 86'400};

class Disturbances {
 public:
  Status read_back(memory::Reader& reader, memory::TimeRange time);
  void feed(Timestamp now, const std::vector<metrics::Sample>& samples);

  const std::vector<baseline::Mask>& masks() const { return masks_; }

 private:
  void find();
  void forget_before(Timestamp moment);

  std::map<std::string, std::vector<baseline::Point>, std::less<>> reservations_;
  std::vector<baseline::Point> since_;
  std::vector<baseline::Mask> masks_;
};

}  // namespace schedlens::watch
