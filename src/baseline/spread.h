// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far a value usually lies from what is expected of it. Seven values of one time of day say too
// little about that: three of their own deviations hold a new one in 91 of 100 cases only. So it is
// found from all times of the day together: for each value that was there, how far off the median
// of the other days was. Times of a high level scatter more than those of a low one; so distances
// are measured on a scale on which each series scatters alike at all its levels.

#include <span>
#include <vector>

#include "base/units.h"

namespace schedlens::baseline {

// The least spread of a series: the largest of these.
struct Floors {
  double absolute = 1;    // in the unit of the series
  double relative = 0.1;  // of the level
  // For what is counted: the square root of the count.
  bool counted = false;
};

// Distances in least spreads, each as wide as it is where it lies: on the way from 0 upwards first
// of even width, then as roots (counts), then as logarithms (shares of the level). So a band
// reaches farther up than down, as series do that cannot fall below 0, and even of a few things in
// an hour none at all can be too few.
class Scale {
 public:
  // hours: over how long a rate per hour was counted; 1 for what is no rate.
  explicit Scale(const Floors& floors = {}, double hours = 1);

  double to(double value) const;
  double from(double distance) const;

 private:
  double absolute_, relative_, hours_;
  // Where even width ends, and where the logarithms begin; roots lie between.
  double even_end_, log_begin_;
};

// One spread upwards and one downwards, as multiples of the least one; never under 1.
struct Spread {
  double up = 1;
  double down = 1;
};

// Adds to errors, for each value, how far it lies from the median of the others on the scale.
// Nothing of fewer than three values. Sorts the values.
void add_errors(std::span<double> values, const Scale& scale, std::vector<double>& errors);

// Of all errors of the day, and of those around the time itself, which may be the only ones of
// their kind. Incidents among them widen it, those of one hour in twenty by a third; only when they
// are more than a tenth do they carry it away. Reorders both.
Spread spread_of(std::vector<double>& all, std::vector<double>& near);

}  // namespace schedlens::baseline
