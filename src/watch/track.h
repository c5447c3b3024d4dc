// SPDX-License-Identifier: Apache-2.0
#pragma once
// One watched series: its newest values, and what they come to against what is usual. One thread at
// a time; the calendar must outlive it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "baseline/baseline.h"

namespace schedlens::watch {

using baseline::Mask;
using baseline::Point;

class Track {
 public:
  Track(const baseline::Watched& watched, std::string of, const baseline::Calendar& calendar);

  const baseline::Watched& watched() const { return baseline_.watched(); }
  const std::string& of() const { return of_; }

  // In the order of time; of two at one moment the last counts. The divisor's, of a series that has
  // one.
  void add(Point point) { add(point, above_); }
  void add_divisor(Point point) { add(point, below_); }

  // Puts the windows that were over before now into the baseline; what touched them says the masks.
  void roll_up(std::span<const Mask> masks, Timestamp now);

  struct Judged {
    baseline::Verdict verdict;
    std::optional<baseline::Band> band;
    std::string sentence;
  };
  // The newest values, up to now. Once for each moment, in the order of time.
  Judged judge(std::span<const Mask> masks, Timestamp now);

 private:
  static void add(Point point, std::vector<Point>& to);
  baseline::BucketOptions bucket_options() const;
  void forget_before(Timestamp moment);

  baseline::Baseline baseline_;
  std::string of_;
  std::vector<Point> above_, below_;
  std::optional<Timestamp> rolled_;  // windows before it are in the baseline
};

}  // namespace schedlens::watch
