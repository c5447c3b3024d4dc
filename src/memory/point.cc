// SPDX-License-Identifier: Apache-2.0
#include "memory/point.h"

#include <algorithm>
#include <cmath>

#include "memory/codec.h"

namespace schedlens::memory {
namespace {

double sum_of(std::span<const double> values) {
  // Longer ones could leave the whole numbers of 64 bits.
  constexpr std::size_t kLongest = 512;
  std::vector<std::int64_t> scaled;
  const int places = values.size() <= kLongest ? decimal_places(values, scaled) : -1;
  if (places >= 0) {
    std::int64_t whole = 0;
    for (const auto v : scaled) whole += v;
    return static_cast<double>(whole) / power_of_ten(places);
  }
  double sum = 0;
  for (const auto v : values) sum += v;
  return sum;
}

}  // namespace

void Summary::add_later(const Summary& other) {
  if (other.n == 0) return;
  if (n == 0) {
    *this = other;
    return;
  }
  n += other.n;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  last = other.last;
}

void put_in_order(std::vector<Point>& points) {
  const auto earlier = [](const Point& a, const Point& b) { return a.time < b.time; };
  if (!std::is_sorted(points.begin(), points.end(), earlier)) {
    std::stable_sort(points.begin(), points.end(), earlier);
  }
  const auto same = [](const Point& a, const Point& b) { return a.time == b.time; };
  // Of equal ones unique() keeps the first: from behind that is the last.
  const auto kept = std::unique(points.rbegin(), points.rend(), same);
  points.erase(points.begin(), kept.base());
}

Summary summarise(std::span<const Point> points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const auto& point : points) {
    if (!std::isnan(point.value)) values.push_back(point.value);
  }
  Summary summary;
  if (values.empty()) return summary;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  summary = {values.size(), sum_of(values), *low, *high, values.front(), values.back()};
  return summary;
}

}  // namespace schedlens::memory
