// SPDX-License-Identifier: Apache-2.0
#include "watch/usual.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/log.h"
#include "base/text.h"
#include "watch/points.h"

namespace schedlens::watch {

using baseline::Watched;
using metrics::Sample;

namespace {

constexpr Seconds kPast{static_cast<std::int64_t>(baseline::History::kDays) * 86'400};

// "state=running,since=eligible"
memory::Labels labels_of(std::string_view where) {
  memory::Labels labels;
  for (auto part : split(where, ',')) {
    if (auto pair = cut(part, '=')) labels.emplace_back(pair->first, pair->second);
  }
  return labels;
}

std::string_view label(const Sample& sample, std::string_view name) {
  for (const auto& [key, value] : sample.labels) {
    if (key == name) return value;
  }
  return {};
}

bool is_of(const Sample& sample, const memory::Labels& where) {
  return std::all_of(where.begin(), where.end(), [&](const auto& wanted) {
    return label(sample, wanted.first) == wanted.second;
  });
}

// The sums of a metric's series that differ in other labels than `per`; of some none.
std::map<std::string, double> sums(
    const std::unordered_multimap<std::string_view, const Sample*>& all, std::string_view metric,
    const Watched& watched) {
  const auto where = labels_of(watched.where);
  std::map<std::string, double> out;
  const auto [begin, end] = all.equal_range(metric);
  for (auto it = begin; it != end; ++it) {
    if (!is_of(*it->second, where)) continue;
    const auto of = watched.per.empty() ? std::string_view() : label(*it->second, watched.per);
    out[std::string(of)] += it->second->value;
  }
  return out;
}

}  // namespace

Usual::Usual(baseline::Calendar calendar) : calendar_(std::move(calendar)) {}

Track& Usual::track(const Watched& watched, const std::string& of) {
  auto& track = tracks_[{&watched, of}];
  if (!track) track = std::make_unique<Track>(watched, of, calendar_);
  return *track;
}

Status Usual::read_back(memory::Reader& reader, Timestamp now) {
  const memory::TimeRange time{memory::moment_of(now + Seconds{-kPast.value}),
                               memory::moment_of(now)};
  if (auto read = disturbances_.read_back(reader, time); !read) return read;
  for (const auto& watched : baseline::watched_series()) {
    if (auto read = read_back(reader, watched, false, time); !read) return read;
    if (watched.divisor.empty()) continue;
    if (auto read = read_back(reader, watched, true, time); !read) return read;
  }
  for (auto& [key, track] : tracks_) track->roll_up(disturbances_.masks(), now);
  return {};
}

Status Usual::read_back(memory::Reader& reader, const Watched& watched, bool divisor,
                        memory::TimeRange time) {
  const auto metric = divisor ? watched.divisor : watched.metric;
  auto all = reader.points({std::string(metric), labels_of(watched.where)}, time);
  if (!all) return fail(all.error());
  std::map<std::string, std::map<Timestamp, double>> by_group;
  for (const auto& series : *all) {
    auto& sum = by_group[std::string(series.key.label(watched.per))];
    for (const auto& point : series.points) sum[of_second(point).at] += point.value;
  }
  for (const auto& [of, points] : by_group) {
    auto& its = track(watched, of);
    for (const auto& [at, value] : points) {
      divisor ? its.add_divisor({at, value}) : its.add({at, value});
    }
  }
  return {};
}

void Usual::feed(Timestamp now, const std::vector<Sample>& samples) {
  disturbances_.feed(now, samples);
  std::unordered_multimap<std::string_view, const Sample*> by_name;
  for (const auto& sample : samples) by_name.emplace(sample.name, &sample);
  for (const auto& watched : baseline::watched_series()) {
    for (const auto& [of, sum] : sums(by_name, watched.metric, watched)) {
      track(watched, of).add({now, sum});
    }
    if (watched.divisor.empty()) continue;
    for (const auto& [of, sum] : sums(by_name, watched.divisor, watched)) {
      track(watched, of).add_divisor({now, sum});
    }
  }
  judged_.clear();
  const auto& masks = disturbances_.masks();
  for (auto& [key, track] : tracks_) {
    track->roll_up(masks, now);
    judged_.push_back({key.first, key.second, track->judge(masks, now)});
  }
}

std::vector<metrics::BaselineRow> Usual::rows() const {
  std::vector<metrics::BaselineRow> rows;
  for (const auto& [watched, of, judged] : judged_) {
    metrics::BaselineRow row;
    row.series = watched->name;
    row.of = of;
    row.state = baseline::name(judged.verdict.state);
    row.alarm = judged.verdict.alarm;
    row.value = judged.verdict.value;
    if (const auto& b = judged.band) row.band = {b->low, b->centre, b->high};
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace schedlens::watch
