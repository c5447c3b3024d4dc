// SPDX-License-Identifier: Apache-2.0
#include "alert/window.h"

#include <algorithm>

namespace schedlens::alert {
namespace {

constexpr std::int64_t kPoints = 120;  // of a window at most, about

}  // namespace

void Window::take(const Labels& group, const Labels& series, double value, Timestamp now) {
  auto& sum = groups_[group];
  if (sum.points.empty() || sum.points.back().time != now) {
    // A row with a hole as long as the window says nothing of the window.
    if (!sum.points.empty() && now - sum.points.back().time > width_) sum = {};
    sum.points.push_back({now, sum.total});
  }
  auto name = labels_text(series);
  auto known = series_.find(name);
  if (known == series_.end()) {
    if (series_.size() < kMostSeries) series_.emplace(std::move(name), Series{value, now});
    return;
  }
  auto& before = known->second;
  if (now - before.seen <= width_) {
    if (changes_) {
      sum.total += value == before.last ? 0 : 1;
    } else {
      sum.total += value >= before.last ? value - before.last : value;
    }
    sum.points.back().total = sum.total;
  }
  before = {value, now};
}

void Window::close(Timestamp now) {
  std::erase_if(series_, [&](const auto& entry) { return now - entry.second.seen > width_; });
  for (auto at = groups_.begin(); at != groups_.end();) {
    trim_points(at->second, now);
    at = at->second.points.empty() || now - at->second.points.back().time > width_
             ? groups_.erase(at)
             : std::next(at);
  }
}

// The last point at or before the window's begin stays: growth is counted from it.
void Window::trim_points(Group& group, Timestamp now) const {
  auto& points = group.points;
  auto begin = now.unix_seconds - width_.value;
  while (points.size() >= 2 && points[1].time.unix_seconds <= begin) points.pop_front();
  // Points too close to the one before make way for the newest.
  auto n = points.size();
  if (n >= 3 && (points[n - 2].time - points[n - 3].time).value * kPoints < width_.value) {
    points.erase(points.end() - 2);
  }
}

std::optional<Window::Growth> Window::growth(const Labels& group, Timestamp now) const {
  auto at = groups_.find(group);
  if (at == groups_.end()) return std::nullopt;
  const auto& points = at->second.points;
  if (points.size() < 2 || points.back().time != now) return std::nullopt;
  Growth growth;
  growth.increase = points.back().total - points.front().total;
  growth.covered = points.back().time - points.front().time;
  growth.full = growth.covered.value * 10 >= width_.value * 9;
  return growth;
}

std::vector<Labels> Window::groups() const {
  std::vector<Labels> list;
  for (const auto& entry : groups_) list.push_back(entry.first);
  return list;
}

void Window::restore(std::map<std::string, Series> series, std::map<Labels, Group> groups) {
  series_ = std::move(series);
  groups_ = std::move(groups);
}

}  // namespace schedlens::alert
