// SPDX-License-Identifier: Apache-2.0
#pragma once
// How starts turned out against what was forecast of them, and forecasts made better by it. What a
// forecast cannot know, such as jobs that come later and go first or the seconds that each start
// costs, is the same on one cluster from one day to the next.

#include <deque>
#include <optional>

#include "diagnose/start_forecast.h"

namespace schedlens::diagnose {

class Lateness {
 public:
  // One start: how long the wait was after the forecast was made, in waits that it expected. 1 came
  // as expected, 2 took twice as long.
  void add(double ratio);
  // The ratio that this share (0 to 1) of the newest stay below. Absent while there are too few.
  std::optional<double> quantile(double share) const;
  const std::deque<double>& newest() const { return newest_; }

 private:
  std::deque<double> newest_;
};

// The expected wait as long as the middle of the starts found it to be, and a range that takes in
// eight of ten of them. Unchanged while too few are known.
StartForecast corrected(StartForecast forecast, Timestamp made, const Lateness& lateness);

}  // namespace schedlens::diagnose
