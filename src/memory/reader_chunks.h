// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Reader takes out of files of points: the wanted series of each, their chunks, and the
// points that are not chunks yet.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory/chunk.h"
#include "memory/day_file.h"
#include "memory/reader_files.h"

namespace schedlens::memory {

inline constexpr std::uint32_t kNotWanted = std::numeric_limits<std::uint32_t>::max();

// The series of an answer. Files number them differently; here they have one place each.
class Answer {
 public:
  explicit Answer(const SeriesMatch& match) : match_(match) {}

  // For each number of the file (from 1) its place, or kNotWanted.
  std::vector<std::uint32_t> places_in(const OpenFile& file) {
    std::vector<std::uint32_t> places(file.series.size() + 1, kNotWanted);
    for (std::size_t i = 0; i < file.series.size(); ++i) {
      const auto& key = file.series[i];
      if (!match_.matches(key)) continue;
      const auto [place, added] =
          index_.try_emplace(series_text(key), static_cast<std::uint32_t>(keys_.size()));
      if (added) keys_.push_back(key);
      places[i + 1] = place->second;
    }
    return places;
  }
  std::vector<SeriesKey>& keys() { return keys_; }

 private:
  const SeriesMatch& match_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<SeriesKey> keys_;
};

inline std::vector<std::uint32_t> wanted_numbers(const std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 1; number < places.size(); ++number) {
    if (places[number] != kNotWanted) numbers.push_back(number);
  }
  return numbers;
}

// Looking up each key costs less than reading past all of them only when they are few.
inline bool are_few(const std::vector<std::uint32_t>& numbers,
                    const std::vector<std::uint32_t>& places) {
  return numbers.size() * 8 < places.size();
}

struct ChunkRow {
  std::uint32_t number = 0;
  Moment first, last;
  Summary summary;
  std::string_view bytes;  // while it is handed on
};

template <class Take>
Status each_chunk_between(Statement& rows, Day day, std::int64_t from, std::int64_t to,
                          Take&& take) {
  rows.bind(from, to);
  const auto begin = begin_of(day).unix_ms;
  for (;;) {
    auto row = rows.step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    ChunkRow chunk{series_of_chunk(rows.integer(0)),
                   {begin + rows.integer(1)},
                   {begin + rows.integer(2)},
                   {static_cast<std::uint64_t>(rows.integer(3)), rows.real(4), rows.real(5),
                    rows.real(6), rows.real(7), rows.real(8)},
                   rows.text(9)};
    if (auto taken = take(chunk); !taken) return taken;
  }
}

// The chunks of the wanted series that overlap the time.
template <class Take>
Status each_chunk(Database& database, Day day, TimeRange time,
                  const std::vector<std::uint32_t>& places, Take&& take) {
  auto rows = database.prepare("read chunks",
                               "SELECT key, start, until, n, sum, min, max, first, last, points"
                               " FROM chunk WHERE key BETWEEN ?1 AND ?2");
  if (!rows) return fail(rows.error());
  const auto begin = begin_of(day).unix_ms;
  const auto first_slot = slot_of({std::max(time.from.unix_ms, begin)});
  const auto last_slot = slot_of({std::min(time.to.unix_ms, begin + kMsPerDay) - 1});
  const auto if_wanted = [&](const ChunkRow& chunk) -> Status {
    if (chunk.number >= places.size() || places[chunk.number] == kNotWanted) return {};
    if (!time.overlaps(chunk.first, {chunk.last.unix_ms + 1})) return {};
    return take(chunk);
  };
  const auto numbers = wanted_numbers(places);
  if (!are_few(numbers, places)) {
    return each_chunk_between(*rows, day, chunk_key(first_slot, 0, 0),
                              chunk_key(last_slot + 1, 0, 0) - 1, if_wanted);
  }
  for (int slot = first_slot; slot <= last_slot; ++slot) {
    for (const auto number : numbers) {
      if (auto read = each_chunk_between(*rows, day, chunk_key(slot, number, 0),
                                         chunk_key(slot, number, kMostParts), if_wanted);
          !read) {
        return read;
      }
    }
  }
  return {};
}

// Points that are not chunks yet, of the wanted series, in the order they came.
template <class Take>
Status each_head_point(Database& database, TimeRange time, const std::vector<std::uint32_t>& places,
                       Take&& take) {
  auto rows = database.prepare("read points", "SELECT points FROM head ORDER BY seq");
  if (!rows) return fail(rows.error());
  for (;;) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    auto decoded = decode_block(
        rows->text(0),
        [&](auto number) { return number < places.size() && places[number] != kNotWanted; },
        [&](const BlockPoint& point) {
          if (time.contains(point.time)) take(places[point.series], Point{point.time, point.value});
        });
    if (!decoded) return fail(database.damage(decoded.error().message()));
  }
}

}  // namespace schedlens::memory
