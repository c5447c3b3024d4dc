// SPDX-License-Identifier: Apache-2.0
#include "baseline/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "baseline/median.h"

namespace schedlens::baseline {
namespace {

// A normal deviate's standard deviation over its median distance from the middle, and the quantile
// that nine of ten stay under.
constexpr double kOfMedian = 1.4826;
constexpr double kNinthTenth = 1.2816;
// Fewer say nothing about a tail.
constexpr std::size_t kTailErrors = 40;
constexpr std::size_t kMedianErrors = 10;

// The errors near a time are few and their spread is uncertain; less than this is chance.
constexpr double kWider = 1.5;

double by_median(const std::vector<double>& errors) {
  if (errors.size() < kMedianErrors) return 1;
  std::vector<double> distances(errors.size());
  std::transform(errors.begin(), errors.end(), distances.begin(),
                 [](double error) { return std::abs(error); });
  return kOfMedian * median_of(distances);
}

}  // namespace

// The distance of x from 0 is the integral of 1 by the least spread at each level on the way, which
// is the largest of a (absolute), sqrt(x/h) (counted) and r*x (relative).
Scale::Scale(const Floors& floors, double hours)
    : absolute_(floors.absolute), relative_(floors.relative), hours_(hours) {
  constexpr auto kNever = std::numeric_limits<double>::infinity();
  auto log_after_root = relative_ > 0 ? 1 / (relative_ * relative_ * hours_) : kNever;
  even_end_ = floors.counted ? absolute_ * absolute_ * hours_ : kNever;
  log_begin_ = log_after_root;
  if (even_end_ >= log_after_root) {
    even_end_ = log_begin_ = relative_ > 0 ? absolute_ / relative_ : kNever;
  }
}

double Scale::to(double value) const {
  if (value < 0) return -to(-value);
  auto distance = std::min(value, even_end_) / absolute_;
  if (value > even_end_) {
    auto root_end = std::min(value, log_begin_);
    distance += 2 * std::sqrt(hours_) * (std::sqrt(root_end) - std::sqrt(even_end_));
  }
  if (value > log_begin_) distance += std::log(value / log_begin_) / relative_;
  return distance;
}

double Scale::from(double distance) const {
  if (distance < 0) return -from(-distance);
  auto rest = distance - even_end_ / absolute_;
  if (rest <= 0) return distance * absolute_;
  auto roots = 2 * std::sqrt(hours_) * (std::sqrt(log_begin_) - std::sqrt(even_end_));
  if (rest <= roots) {
    auto root = std::sqrt(even_end_) + rest / (2 * std::sqrt(hours_));
    return root * root;
  }
  return log_begin_ * std::exp((rest - roots) * relative_);
}

void add_errors(std::span<double> values, const Scale& scale, std::vector<double>& errors) {
  auto n = values.size();
  if (n < 3) return;
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < n; ++i) {
    // The k-th of the others, when the i-th is taken away.
    auto other = [&](std::size_t k) { return values[k < i ? k : k + 1]; };
    auto middle = (n - 1) / 2;
    auto median = (n - 1) % 2 == 1 ? other(middle) : (other(middle - 1) + other(middle)) / 2;
    errors.push_back(scale.to(values[i]) - scale.to(median));
  }
}

Spread spread_of(std::vector<double>& all, std::vector<double>& near) {
  auto both = std::max(1.0, by_median(all));
  if (auto there = by_median(near); there > kWider * both) both = there;
  Spread spread{both, both};
  if (all.size() < kTailErrors) return spread;
  auto tenth = static_cast<std::ptrdiff_t>(all.size() / 10);
  std::nth_element(all.begin(), all.begin() + tenth, all.end());
  spread.down = std::max(both, -all[static_cast<std::size_t>(tenth)] / kNinthTenth);
  std::nth_element(all.begin(), all.end() - 1 - tenth, all.end());
  spread.up = std::max(both, all[all.size() - 1 - static_cast<std::size_t>(tenth)] / kNinthTenth);
  return spread;
}

}  // namespace schedlens::baseline
