// SPDX-License-Identifier: Apache-2.0
#include "report/sample.h"

#include <algorithm>

namespace schedlens::report {

std::size_t Waits::started() const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [](const Wait& w) { return w.started; }));
}

std::optional<double> Waits::mean() const {
  const auto n = started();
  if (n == 0) return std::nullopt;
  double sum = 0;
  for (const auto& w : all_) sum += w.started ? w.seconds : 0;
  return sum / static_cast<double>(n);
}

std::optional<double> Waits::quantile(double share) const {
  auto sorted = all_;
  // Of equal ones those that started come first: who gave up then was still waiting.
  std::sort(sorted.begin(), sorted.end(), [](const Wait& a, const Wait& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.started && !b.started;
  });
  constexpr double kRounding = 1e-12;
  double waiting = 1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (!sorted[i].started) continue;
    const auto at_risk = static_cast<double>(sorted.size() - i);
    waiting *= (at_risk - 1) / at_risk;
    if (1 - waiting >= share - kRounding) return sorted[i].seconds;
  }
  return std::nullopt;
}

}  // namespace schedlens::report
