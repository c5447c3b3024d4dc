// SPDX-License-Identifier: Apache-2.0
#include "watch/disturbances.h"

#include <fmt/format.h>
#include <algorithm>

#include "watch/points.h"

namespace schedlens::watch {

using baseline::Mask;
using baseline::Point;

namespace {

constexpr std::string_view kActive = "schedlens_reservation_active";
constexpr std::string_view kSince = "schedlens_scheduler_statistics_since_timestamp_seconds";
// Of Slurm: it counts from midnight UTC on, restart or not.
constexpr bool kResetsDaily = true;
// Masks are looked up for windows of at most an hour; more is kept for the rise of counters.
constexpr Seconds kKept{2 * 86'400};

void keep_from(std::vector<Point>& points, Timestamp moment) {
  points.erase(points.begin(), std::find_if(points.begin(), points.end(), [&](const Point& point) {
                 return point.at >= moment;
               }));
}

}  // namespace

Status Disturbances::read_back(memory::Reader& reader, memory::TimeRange time) {
  auto active = reader.points({std::string(kActive), {}}, time);
  if (!active) return fail(active.error());
  for (const auto& series : *active) {
    auto& points = reservations_[std::string(series.key.label("reservation"))];
    for (const auto& point : series.points) points.push_back(of_second(point));
  }
  auto since = reader.points({std::string(kSince), {}}, time);
  if (!since) return fail(since.error());
  for (const auto& series : *since) {
    for (const auto& point : series.points) since_.push_back(of_second(point));
  }
  find();
  return {};
}

void Disturbances::feed(Timestamp now, const std::vector<metrics::Sample>& samples) {
  for (const auto& sample : samples) {
    if (sample.name == kSince) since_.push_back({now, sample.value});
    if (sample.name != kActive || sample.labels.empty()) continue;
    reservations_[sample.labels.front().second].push_back({now, sample.value});
  }
  forget_before(now + Seconds{-kKept.value - kLongReservation.value});
  find();
}

void Disturbances::find() {
  masks_ = baseline::masks_of_restarts(since_, kResetsDaily);
  for (const auto& [name, points] : reservations_) {
    for (auto& mask : baseline::masks_while(points, baseline::LeftOut::kReservation, name)) {
      if (mask.end - mask.begin <= kLongReservation) masks_.push_back(std::move(mask));
    }
  }
}

void Disturbances::forget_before(Timestamp moment) {
  keep_from(since_, moment);
  for (auto it = reservations_.begin(); it != reservations_.end();) {
    keep_from(it->second, moment);
    it = it->second.empty() ? reservations_.erase(it) : std::next(it);
  }
}

}  // namespace schedlens::watch
