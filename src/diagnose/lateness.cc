// SPDX-License-Identifier: Apache-2.0
#include "diagnose/lateness.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace schedlens::diagnose {

namespace {

constexpr std::size_t kKept = 200, kEnough = 20;
// One that went wrong altogether must not spoil the others.
constexpr double kLeast = 0.1, kMost = 10;

}  // namespace

void Lateness::add(double ratio) {
  newest_.push_back(std::clamp(ratio, kLeast, kMost));
  if (newest_.size() > kKept) newest_.pop_front();
}

std::optional<double> Lateness::quantile(double share) const {
  if (newest_.size() < kEnough) return std::nullopt;
  std::vector<double> sorted(newest_.begin(), newest_.end());
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  return sorted[static_cast<std::size_t>(place)];
}

StartForecast corrected(StartForecast forecast, Timestamp made, const Lateness& lateness) {
  const auto low = lateness.quantile(0.1), middle = lateness.quantile(0.5),
             high = lateness.quantile(0.9);
  if (!forecast.expected || *forecast.expected <= made || !middle) return forecast;
  const auto wait = static_cast<double>((*forecast.expected - made).value);
  auto after = [&](double ratio) { return made + Seconds{std::llround(wait * ratio)}; };
  forecast.expected = after(*middle);
  forecast.earliest = std::min(forecast.earliest.value_or(after(*low)), after(*low));
  if (forecast.latest) forecast.latest = std::max(*forecast.latest, after(*high));
  return forecast;
}

}  // namespace schedlens::diagnose
