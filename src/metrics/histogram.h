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

  // What somebody else has counted: cumulated counts of the bounds, and of all.
  Histogram(std::span<const double> bounds, std::span<const double> cumulated, double count,
            double sum)
      : bounds_(bounds), counts_(bounds.size() + 1), count_(whole(count)), sum_(sum) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const auto up_to = std::max(below, whole(cumulated[i]));
      counts_[i] = up_to - below;
      below = up_to;
    }
    counts_.back() = std::max(below, count_) - below;
    count_ = std::max(below, count_);
  }

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
  static std::uint64_t whole(double count) {
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }

  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace schedlens::metrics
