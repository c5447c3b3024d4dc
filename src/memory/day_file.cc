// SPDX-License-Identifier: Apache-2.0
#include "memory/day_file.h"

#include <algorithm>
#include <array>

namespace schedlens::memory {
namespace {

// Points that are held in memory at once to make chunks of them.
constexpr std::size_t kSealAtOnce = 1'000'000;
// Small chunks of one series in one slot from which on they are made into larger ones.
constexpr std::size_t kTooManyParts = 500;

enum Text { kInsertHead, kReadHead, kDropHead, kInsertChunk, kReadChunks, kDropChunk, kSetMeta };
struct Prepared {
  const char* purpose;
  const char* sql;
};
constexpr std::array<Prepared, 7> kTexts = {{
    {"write points", "INSERT INTO head(slot, n, points) VALUES(?1, ?2, ?3)"},
    {"read points", "SELECT points FROM head WHERE slot = ?1 ORDER BY seq"},
    {"seal points", "DELETE FROM head WHERE slot = ?1"},
    {"seal points",
     "INSERT INTO chunk(key, start, until, n, sum, min, max, first, last, points)"
     " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"},
    {"read chunks",
     "SELECT key, start, until, points FROM chunk WHERE key BETWEEN ?1 AND ?2 ORDER BY key"},
    {"seal points", "DELETE FROM chunk WHERE key = ?1"},
    {"write the state of the day", "INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)"},
}};

}  // namespace

struct DayFile::Existing {
  std::int64_t key = 0;
  std::vector<Point> points;
};

Result<std::unique_ptr<DayFile>> DayFile::open(const StoreFile& file, Timestamp now,
                                               SeriesRegistry& registry) {
  const auto steady = std::chrono::steady_clock::now();
  for (bool again = false;; again = true) {
    auto database = open_for_writing(file, false, now);
    if (!database) return fail(database.error());
    std::unique_ptr<DayFile> day(new DayFile(std::move(*database), file.day, registry));
    auto loaded = day->load(steady);
    if (loaded) return day;
    if (again || !day->database_->broken()) return fail(loaded.error());
    day.reset();
    if (auto aside = set_aside(file.path, loaded.error().message(), now); !aside) {
      return fail(aside.error());
    }
  }
}

Status DayFile::load(std::chrono::steady_clock::time_point now) {
  if (auto loaded = series_.load(); !loaded) return loaded;
  auto rolled =
      database_->integer("read the state of the day",
                         "SELECT coalesce(max(value), 0) FROM meta WHERE name = 'rolled_up'");
  if (!rolled) return fail(rolled.error());
  rolled_up_ = *rolled == 1;
  auto slots = database_->prepare("read points", "SELECT slot, sum(n) FROM head GROUP BY slot");
  if (!slots) return fail(slots.error());
  for (;;) {
    auto row = slots->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    open_slots_[static_cast<int>(slots->integer(0))] = {static_cast<std::size_t>(slots->integer(1)),
                                                        now};
  }
}

Result<Statement*> DayFile::statement(int which) {
  auto place = statements_.find(which);
  if (place == statements_.end()) {
    const auto& text = kTexts[static_cast<std::size_t>(which)];
    auto prepared = database_->prepare(text.purpose, text.sql);
    if (!prepared) return fail(prepared.error());
    place = statements_.emplace(which, std::move(*prepared)).first;
  }
  return &place->second;
}

Status DayFile::append(std::span<const Sample> samples, std::chrono::steady_clock::time_point now) {
  const auto known = series_.size();
  std::map<int, std::vector<BlockPoint>> by_slot;
  auto done = database_->transaction("write points", [&]() -> Status {
    for (const auto& sample : samples) {
      auto number = series_.number(sample.series);
      if (!number) return fail(number.error());
      by_slot[slot_of(sample.time)].push_back({*number, sample.time, sample.value});
    }
    for (auto& [slot, points] : by_slot) {
      std::stable_sort(points.begin(), points.end(), [](const BlockPoint& a, const BlockPoint& b) {
        return a.series < b.series;
      });
      if (auto written = write_block(slot, points); !written) return written;
    }
    if (!rolled_up_) return {};
    auto set = statement(kSetMeta);
    return set ? (*set)->bind("rolled_up", std::int64_t{0}).run() : fail(set.error());
  });
  if (!done) {
    series_.forget_since(known);
    return done;
  }
  rolled_up_ = false;
  for (const auto& [slot, points] : by_slot) {
    auto& open = open_slots_[slot];
    open.points += points.size();
    open.touched = now;
  }
  return {};
}

Status DayFile::write_block(int slot, std::span<const BlockPoint> points) {
  auto insert = statement(kInsertHead);
  if (!insert) return fail(insert.error());
  return (*insert)
      ->bind(std::int64_t{slot}, static_cast<std::int64_t>(points.size()),
             Blob{encode_block(points)})
      .run();
}

Status DayFile::seal(int slot) {
  const auto open = open_slots_.find(slot);
  if (open == open_slots_.end()) return {};
  const auto passes = static_cast<std::uint32_t>(open->second.points / kSealAtOnce + 1);
  auto done = database_->transaction("seal points", [&]() -> Status {
    auto chunks = database_->integer(
        "seal points", fmt::format("SELECT count(*) FROM (SELECT 1 FROM chunk WHERE key BETWEEN {} "
                                   "AND {} LIMIT 1)",
                                   chunk_key(slot, 0, 0), chunk_key(slot + 1, 0, 0) - 1));
    if (!chunks) return fail(chunks.error());
    const auto each = series_.size() / passes + 1;
    for (std::uint32_t first = 1; first <= series_.size(); first += each) {
      if (auto sealed = seal_series(slot, *chunks > 0, first, first + each - 1); !sealed)
        return sealed;
    }
    auto drop = statement(kDropHead);
    return drop ? (*drop)->bind(std::int64_t{slot}).run() : fail(drop.error());
  });
  if (done) open_slots_.erase(open);
  return done;
}

// The series numbered from `first` to `last`.
Status DayFile::seal_series(int slot, bool had_chunks, std::uint32_t first, std::uint32_t last) {
  std::vector<BlockPoint> all;
  auto read = statement(kReadHead);
  if (!read) return fail(read.error());
  auto& rows = (*read)->bind(std::int64_t{slot});
  for (;;) {
    auto row = rows.step();
    if (!row) return fail(row.error());
    if (!*row) break;
    auto decoded = decode_block(
        rows.text(0), [&](auto series) { return series >= first && series <= last; },
        [&](const BlockPoint& point) { all.push_back(point); });
    if (!decoded) return fail(database_->damage(decoded.error().message()));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const BlockPoint& a, const BlockPoint& b) { return a.series < b.series; });
  std::vector<Point> points;
  for (std::size_t i = 0; i < all.size();) {
    const auto number = all[i].series;
    points.clear();
    for (; i < all.size() && all[i].series == number; ++i) {
      points.push_back({all[i].time, all[i].value});
    }
    put_in_order(points);
    if (auto written = write_series(slot, had_chunks, number, points); !written) return written;
  }
  return {};
}

Result<std::vector<DayFile::Existing>> DayFile::existing_chunks(int slot, std::uint32_t number) {
  std::vector<Existing> found;
  auto read = statement(kReadChunks);
  if (!read) return fail(read.error());
  auto& rows = (*read)->bind(chunk_key(slot, number, 0), chunk_key(slot, number, kMostParts));
  for (;;) {
    auto row = rows.step();
    if (!row) return fail(row.error());
    if (!*row) return found;
    Existing chunk{rows.integer(0), {}};
    const Moment start{begin_of(day_).unix_ms + rows.integer(1)};
    if (auto decoded = decode_chunk(rows.text(3), start, chunk.points); !decoded) {
      return fail(database_->damage(decoded.error().message()));
    }
    found.push_back(std::move(chunk));
  }
}

// Points that fall into chunks that are there already, or between their points, are merged with
// them; otherwise chunks are added.
Status DayFile::write_series(int slot, bool had_chunks, std::uint32_t number,
                             std::vector<Point>& points) {
  std::uint32_t part = 0;
  std::vector<Point> merged;
  if (had_chunks) {
    auto existing = existing_chunks(slot, number);
    if (!existing) return fail(existing.error());
    const bool all = existing->size() >= kTooManyParts;
    std::vector<std::int64_t> dropped;
    for (const auto& chunk : *existing) {
      const bool apart = chunk.points.empty() || chunk.points.back().time < points.front().time ||
                         chunk.points.front().time > points.back().time;
      if (apart && !all) {
        part = static_cast<std::uint32_t>(chunk.key & kMostParts) + 1;
        continue;
      }
      merged.insert(merged.end(), chunk.points.begin(), chunk.points.end());
      dropped.push_back(chunk.key);
    }
    auto drop = statement(kDropChunk);
    if (!drop) return fail(drop.error());
    for (const auto key : dropped) {
      if (auto done = (*drop)->bind(key).run(); !done) return done;
    }
    if (!merged.empty()) {
      merged.insert(merged.end(), points.begin(), points.end());
      put_in_order(merged);
      points.swap(merged);
    }
  }
  const std::size_t each =
      points.size() > kTooManyParts * kChunkPoints ? kMostPoints : kChunkPoints;
  for (std::size_t at = 0; at < points.size(); at += each, ++part) {
    const auto count = std::min(each, points.size() - at);
    if (auto written =
            write_chunk(chunk_key(slot, number, part), std::span(points).subspan(at, count));
        !written) {
      return written;
    }
  }
  return {};
}

Status DayFile::write_chunk(std::int64_t key, std::span<const Point> points) {
  auto insert = statement(kInsertChunk);
  if (!insert) return fail(insert.error());
  const auto summary = summarise(points);
  const auto begin = begin_of(day_).unix_ms;
  return (*insert)
      ->bind(key, points.front().time.unix_ms - begin, points.back().time.unix_ms - begin,
             static_cast<std::int64_t>(summary.n), summary.sum, summary.min, summary.max,
             summary.first, summary.last, Blob{encode_chunk(points)})
      .run();
}

Result<std::size_t> DayFile::merge_small_chunks() {
  std::size_t saved = 0;
  auto done = database_->transaction("merge chunks", [&]() -> Status {
    for (int slot = 0; slot < kSlotsPerDay; ++slot) {
      for (std::uint32_t number = 1; number <= series_.size(); ++number) {
        auto existing = existing_chunks(slot, number);
        if (!existing) return fail(existing.error());
        if (existing->size() < 2) continue;
        std::vector<Point> points;
        for (const auto& chunk : *existing) {
          points.insert(points.end(), chunk.points.begin(), chunk.points.end());
        }
        const auto needed = (points.size() + kChunkPoints - 1) / kChunkPoints;
        if (needed >= existing->size()) continue;
        auto drop = statement(kDropChunk);
        if (!drop) return fail(drop.error());
        for (const auto& chunk : *existing) {
          if (auto dropped = (*drop)->bind(chunk.key).run(); !dropped) return dropped;
        }
        put_in_order(points);
        if (auto written = write_series(slot, false, number, points); !written) return written;
        saved += existing->size() - needed;
      }
    }
    return {};
  });
  if (!done) return fail(done.error());
  return saved;
}

Status DayFile::set_rolled_up() {
  auto set = statement(kSetMeta);
  if (!set) return fail(set.error());
  if (auto done = (*set)->bind("rolled_up", std::int64_t{1}).run(); !done) return done;
  rolled_up_ = true;
  return {};
}

Result<Hours> DayFile::hours_of(std::uint32_t number) {
  Hours hours;
  for (int slot = 0; slot < kSlotsPerDay; ++slot) {
    auto chunks = existing_chunks(slot, number);
    if (!chunks) return fail(chunks.error());
    std::vector<Point> points;
    for (const auto& chunk : *chunks) {
      points.insert(points.end(), chunk.points.begin(), chunk.points.end());
    }
    put_in_order(points);
    for (std::size_t i = 0; i < points.size();) {
      const auto hour = points[i].time.unix_ms % kMsPerDay / kMsPerHour;
      auto end = i;
      while (end < points.size() && points[end].time.unix_ms % kMsPerDay / kMsPerHour == hour)
        ++end;
      hours[static_cast<std::size_t>(hour)] = summarise(std::span(points).subspan(i, end - i));
      i = end;
    }
  }
  return hours;
}

Status DayFile::shrink() {
  return database_->execute("give pages back", "PRAGMA incremental_vacuum");
}

}  // namespace schedlens::memory
