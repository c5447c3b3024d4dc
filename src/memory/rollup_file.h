// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the points of one month come to, hour by hour: kept when the points themselves are gone. A
// row is a day of one series. For the one thread that writes.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "memory/chunk.h"
#include "memory/schema.h"
#include "memory/series_table.h"

namespace schedlens::memory {

constexpr std::int64_t hours_key(Day day, std::uint32_t series) {
  return std::int64_t{day.number} << 32 | series;
}
constexpr std::uint32_t series_of_hours(std::int64_t key) {
  return static_cast<std::uint32_t>(key);
}

class RollupFile {
 public:
  static Result<std::unique_ptr<RollupFile>> open(const StoreFile& file, Timestamp now,
                                                  SeriesRegistry& registry);

  // Replaces what is there of these series on this day. With `complete` the day has all series.
  Status write(Day day, std::span<const std::pair<SeriesId, Hours>> series, bool complete);
  Result<bool> has(Day day);
  Database& database() { return *database_; }

 private:
  RollupFile(std::unique_ptr<Database> database, SeriesRegistry& registry)
      : database_(std::move(database)), series_(*database_, registry) {}
  std::unique_ptr<Database> database_;
  SeriesTable series_;
};

}  // namespace schedlens::memory
