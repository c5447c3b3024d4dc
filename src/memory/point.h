// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value at a moment, and what many of them come to.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "memory/moment.h"

namespace schedlens::memory {

struct Point {
  Moment time;
  double value = 0;
};

// Of the points whose value is a number; NaN is skipped as if it were not there. Without any (n is
// 0) the rest is NaN, except the sum. Infinities count as they are, so that a sum of both is NaN.
struct Summary {
  std::uint64_t n = 0;
  double sum = 0;
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  double first = std::numeric_limits<double>::quiet_NaN();
  double last = std::numeric_limits<double>::quiet_NaN();

  double mean() const { return n > 0 ? sum / static_cast<double>(n) : max; }
  // With points that all come after these.
  void add_later(const Summary& other);
};

// By time; of several at one time only the last stays.
void put_in_order(std::vector<Point>& points);

// Of points in the order of time. The sum of decimal fractions (0.1 ten times) is their exact sum,
// as near as a double comes to it.
Summary summarise(std::span<const Point> points);

}  // namespace schedlens::memory
