// SPDX-License-Identifier: Apache-2.0
#pragma once
// The median: of an even number of values the mean of the two in the middle.

#include <algorithm>
#include <cstddef>
#include <span>

namespace schedlens::baseline {

// Reorders the values, of which there is at least one.
inline double median_of(std::span<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace schedlens::baseline
