// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts of values by size, as Prometheus histograms hold them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace schedlens::metrics {

class Histogram {
 public:
  // Upper bounds, ascending, that outlive the histogram; one more bucket takes what is larger.
  explicit Histogram(std::span<const double> bounds)
      : bounds_(bounds), counts_(bounds.size() + 1) {}

  void add(double value) {
    auto it = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    ++counts_[static_cast<std::size_t>(it - bounds_.begin())];
    ++count_;
    sum_ += value;
  }

  std::span<const double> bounds() const { return bounds_; }
  // By bucket, not cumulated; the last is of values above every bound.
  std::span<const std::uint64_t> counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace schedlens::metrics
