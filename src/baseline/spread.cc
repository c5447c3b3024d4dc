// SPDX-License-Identifier: Apache-2.0
#include "baseline/spread.h"

#include <algorithm>
#include <cmath>

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

double by_median(const std::vector<double>& errors) {
  if (errors.size() < kMedianErrors) return 1;
  std::vector<double> distances(errors.size());
  std::transform(errors.begin(), errors.end(), distances.begin(),
                 [](double error) { return std::abs(error); });
  return kOfMedian * median_of(distances);
}

}  // namespace

double least_spread(double level, const Floors& floors, double hours) {
  auto least = std::max(floors.absolute, floors.relative * std::abs(level));
  // Of a rate r over h hours r*h were counted: the root of that, by h.
  if (floors.counted) least = std::max(least, std::sqrt(std::max(0.0, level) / hours));
  return least;
}

void add_errors(std::span<double> values, const Floors& floors, double hours,
                std::vector<double>& errors) {
  auto n = values.size();
  if (n < 3) return;
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < n; ++i) {
    // The k-th of the others, when the i-th is taken away.
    auto other = [&](std::size_t k) { return values[k < i ? k : k + 1]; };
    auto middle = (n - 1) / 2;
    auto median = (n - 1) % 2 == 1 ? other(middle) : (other(middle - 1) + other(middle)) / 2;
    errors.push_back((values[i] - median) / least_spread(median, floors, hours));
  }
}

Spread spread_of(std::vector<double>& all, std::vector<double>& near) {
  auto both = std::max({1.0, by_median(all), by_median(near)});
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
