// SPDX-License-Identifier: Apache-2.0
// Series of a data directory: points, and buckets of them.

#include <algorithm>
#include <unordered_map>

#include "memory/reader_chunks.h"
#include "memory/rollup_file.h"

namespace schedlens::memory {
namespace {

// One series' buckets while they are filled, mostly in the order of time.
struct Filling {
  struct Open {
    std::int64_t start;
    Summary summary;
    Moment last_at;
  };
  std::vector<Open> buckets;

  void add(std::int64_t start, Moment last_at, const Summary& summary) {
    if (summary.n == 0) return;
    auto place = buckets.end();
    while (place != buckets.begin() && std::prev(place)->start >= start) --place;
    if (place == buckets.end() || place->start != start) {
      place = buckets.insert(place, Open{start, {}, {}});
    }
    const bool later = place->summary.n == 0 || last_at >= place->last_at;
    const auto last = later ? summary.last : place->summary.last;
    place->summary.add_later(summary);
    place->summary.last = last;
    place->last_at = std::max(place->last_at, last_at);
  }
};

class Bucketing {
 public:
  Bucketing(Answer& answer, TimeRange time, std::int64_t width)
      : answer_(answer), time_(time), width_(width) {}

  // The hours of the roll-up serve as well as the points.
  bool hours_will_do(Day day) const {
    const auto begin = begin_of(day).unix_ms;
    const auto from = std::max(time_.from.unix_ms, begin);
    const auto to = std::min(time_.to.unix_ms, begin + kMsPerDay);
    return width_ % kMsPerHour == 0 && from % kMsPerHour == 0 && to % kMsPerHour == 0;
  }

  Status add_points(OpenFile& file) {
    if (auto read = file.read_series(); !read) return read;
    const auto places = answer_.places_in(file);
    make_room();
    auto& database = *file.database;
    // The newer points may replace some of a chunk, whose summary is no use then.
    std::unordered_map<std::uint32_t, std::vector<Point>> heads;
    auto read = each_head_point(database, time_, places, [&](std::uint32_t place, Point point) {
      heads[place].push_back(point);
    });
    if (!read) return read;
    std::unordered_map<std::uint32_t, std::vector<Point>> loose;
    read = each_chunk(database, file.file.day, time_, places, [&](const ChunkRow& chunk) -> Status {
      const auto place = places[chunk.number];
      const auto start = start_of(chunk.first);
      const bool whole = start == start_of(chunk.last) && time_.contains(chunk.first) &&
                         time_.contains(chunk.last) && !touches(heads, place, chunk);
      if (whole) {
        filling_[place].add(start, chunk.last, chunk.summary);
        return {};
      }
      auto decoded = decode_chunk(chunk.bytes, chunk.first, loose[place]);
      return decoded ? decoded : fail(database.damage(decoded.error().message()));
    });
    if (!read) return read;
    for (auto& [place, points] : heads) {
      auto& all = loose[place];
      all.insert(all.end(), points.begin(), points.end());
    }
    for (auto& [place, points] : loose) add_loose(place, points);
    return {};
  }

  Status add_hours(OpenFile& file, Day day) {
    if (auto read = file.read_series(); !read) return read;
    auto& places = rollup_places_[file.file.day];
    if (places.size() != file.series.size() + 1) places = answer_.places_in(file);
    make_room();
    auto rows = file.database->prepare("read hours",
                                       "SELECT key, points FROM hours WHERE key BETWEEN ?1 AND ?2");
    if (!rows) return fail(rows.error());
    const auto numbers = wanted_numbers(places);
    if (!are_few(numbers, places)) {
      rows->bind(hours_key(day, 0), hours_key({day.number + 1}, 0) - 1);
      return take_hours(*rows, *file.database, day, places);
    }
    for (const auto number : numbers) {
      rows->bind(hours_key(day, number), hours_key(day, number));
      if (auto read = take_hours(*rows, *file.database, day, places); !read) return read;
    }
    return {};
  }

  std::vector<SeriesBuckets> take() {
    std::vector<SeriesBuckets> out;
    for (std::size_t i = 0; i < filling_.size(); ++i) {
      if (filling_[i].buckets.empty()) continue;
      SeriesBuckets series{std::move(answer_.keys()[i]), {}};
      series.buckets.reserve(filling_[i].buckets.size());
      for (const auto& bucket : filling_[i].buckets) {
        series.buckets.push_back({{bucket.start}, bucket.summary});
      }
      out.push_back(std::move(series));
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return out;
  }

 private:
  std::int64_t start_of(Moment m) const { return m.unix_ms - m.unix_ms % width_; }
  void make_room() { filling_.resize(std::max(filling_.size(), answer_.keys().size())); }

  static bool touches(const std::unordered_map<std::uint32_t, std::vector<Point>>& heads,
                      std::uint32_t place, const ChunkRow& chunk) {
    const auto head = heads.find(place);
    return head != heads.end() &&
           std::any_of(head->second.begin(), head->second.end(), [&](const Point& point) {
             return point.time >= chunk.first && point.time <= chunk.last;
           });
  }

  void add_loose(std::uint32_t place, std::vector<Point>& points) {
    put_in_order(points);
    std::erase_if(points, [&](const Point& point) { return !time_.contains(point.time); });
    for (std::size_t i = 0; i < points.size();) {
      const auto start = start_of(points[i].time);
      auto end = i;
      while (end < points.size() && start_of(points[end].time) == start) ++end;
      filling_[place].add(start, points[end - 1].time,
                          summarise(std::span(points).subspan(i, end - i)));
      i = end;
    }
  }

  Status take_hours(Statement& rows, Database& database, Day day,
                    const std::vector<std::uint32_t>& places) {
    for (;;) {
      auto row = rows.step();
      if (!row) return fail(row.error());
      if (!*row) return {};
      const auto number = series_of_hours(rows.integer(0));
      if (number >= places.size() || places[number] == kNotWanted) continue;
      auto hours = decode_hours(rows.text(1));
      if (!hours) return fail(database.damage(hours.error().message()));
      for (std::size_t h = 0; h < hours->size(); ++h) {
        const Moment begin{begin_of(day).unix_ms + static_cast<std::int64_t>(h) * kMsPerHour};
        if (time_.contains(begin))
          filling_[places[number]].add(start_of(begin), begin, (*hours)[h]);
      }
    }
  }

  Answer& answer_;
  TimeRange time_;
  std::int64_t width_;
  std::vector<Filling> filling_;  // by place
  std::map<Day, std::vector<std::uint32_t>> rollup_places_;
};

// Whether the day's roll-up is as new as its points.
Result<bool> is_rolled_up(Database& database) {
  auto yes =
      database.integer("read the state of the day",
                       "SELECT coalesce((SELECT value FROM meta WHERE name = 'rolled_up'), 0)"
                       " AND NOT EXISTS (SELECT 1 FROM head)");
  if (!yes) return fail(yes.error());
  return *yes == 1;
}

Result<bool> has_day(Database& database, Day day) {
  auto count = database.integer(
      "read the days", fmt::format("SELECT count(*) FROM days WHERE day = {}", day.number));
  if (!count) return fail(count.error());
  return *count > 0;
}

}  // namespace

Result<std::vector<SeriesKey>> Reader::series(const SeriesMatch& match, TimeRange time) {
  Answer answer(match);
  for (const auto kind : {FileKind::kSeries, FileKind::kRollup}) {
    auto files = files_->of_kind(kind, time);
    if (!files) return fail(files.error());
    for (const auto& file : *files) {
      auto* opened = files_->get(file);
      if (!opened) continue;
      if (auto read = opened->read_series(); !read) {
        files_->problem(*opened, read.error());
        continue;
      }
      (void)answer.places_in(*opened);
    }
  }
  auto keys = std::move(answer.keys());
  std::sort(keys.begin(), keys.end());
  return keys;
}

Result<std::vector<SeriesPoints>> Reader::points(const SeriesMatch& match, TimeRange time) {
  Answer answer(match);
  std::vector<std::vector<Point>> all;
  auto files = files_->of_kind(FileKind::kSeries, time);
  if (!files) return fail(files.error());
  for (const auto& file : *files) {
    auto* opened = files_->get(file);
    if (!opened) continue;
    std::vector<std::vector<Point>> day;
    auto read = opened->database->reading("read points", [&]() -> Status {
      if (auto series = opened->read_series(); !series) return series;
      const auto places = answer.places_in(*opened);
      day.resize(answer.keys().size());
      auto done = each_chunk(*opened->database, file.day, time, places, [&](const ChunkRow& chunk) {
        auto decoded = decode_chunk(chunk.bytes, chunk.first, day[places[chunk.number]]);
        return decoded ? decoded : fail(opened->database->damage(decoded.error().message()));
      });
      if (!done) return done;
      return each_head_point(
          *opened->database, time, places,
          [&](std::uint32_t place, Point point) { day[place].push_back(point); });
    });
    if (!read) files_->problem(*opened, read.error());
    // Of a file that is damaged somewhere, too, what could be read.
    all.resize(std::max(all.size(), day.size()));
    for (std::size_t i = 0; i < day.size(); ++i) {
      put_in_order(day[i]);
      std::erase_if(day[i], [&](const Point& point) { return !time.contains(point.time); });
      all[i].insert(all[i].end(), day[i].begin(), day[i].end());
    }
  }
  std::vector<SeriesPoints> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].empty()) out.push_back({std::move(answer.keys()[i]), std::move(all[i])});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return out;
}

Result<std::vector<SeriesBuckets>> Reader::buckets(const SeriesMatch& match, TimeRange time,
                                                   std::chrono::milliseconds width) {
  if (width.count() <= 0) return fail("buckets need a width");
  auto points = files_->of_kind(FileKind::kSeries, time);
  if (!points) return fail(points.error());
  auto rollups = files_->of_kind(FileKind::kRollup, time);
  if (!rollups) return fail(rollups.error());

  Answer answer(match);
  Bucketing buckets(answer, time, width.count());
  const auto rollup_of = [&](Day day) -> OpenFile* {
    for (const auto& file : *rollups) {
      if (file.day <= day && day < file.end()) return files_->get(file);
    }
    return nullptr;
  };
  const auto add_hours = [&](OpenFile& rollup, Day day) {
    auto added =
        rollup.database->reading("read hours", [&] { return buckets.add_hours(rollup, day); });
    if (!added) files_->problem(rollup, added.error());
  };
  std::map<Day, const StoreFile*> days;
  for (const auto& file : *rollups) {
    for (auto day = file.day; day < file.end(); ++day.number) {
      if (time.overlaps(begin_of(day), begin_of({day.number + 1}))) days[day] = nullptr;
    }
  }
  for (const auto& file : *points) days[file.day] = &file;
  for (const auto& [day, file] : days) {
    auto* opened = file ? files_->get(*file) : nullptr;
    auto* rollup = rollup_of(day);
    if (!opened) {
      if (rollup) add_hours(*rollup, day);
      continue;
    }
    if (rollup && buckets.hours_will_do(day)) {
      auto rolled = is_rolled_up(*opened->database);
      auto there = has_day(*rollup->database, day);
      if (rolled.value_or(false) && there.value_or(false)) {
        add_hours(*rollup, day);
        continue;
      }
    }
    auto added =
        opened->database->reading("read points", [&] { return buckets.add_points(*opened); });
    if (!added) files_->problem(*opened, added.error());
  }
  return buckets.take();
}

}  // namespace schedlens::memory
