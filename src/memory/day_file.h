// SPDX-License-Identifier: Apache-2.0
#pragma once
// The points of one UTC day, for the one thread that writes them.
//
// Points go first, as they come, as a block into the table `head`. When their slot (two hours) is
// over, seal() makes chunks of them, one or a few a series, and drops the blocks, in one
// transaction: at every moment each point is in exactly one of the two. Chunks of a series never
// overlap, and no two of its points have the same time: the later written one counts.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "memory/chunk.h"
#include "memory/schema.h"
#include "memory/series_table.h"

namespace schedlens::memory {

struct Sample {
  SeriesId series;
  Moment time;
  double value = 0;
};

// The key of a chunk: slot, number of the series, and one of several chunks of both.
constexpr std::int64_t chunk_key(int slot, std::uint32_t series, std::uint32_t part) {
  return std::int64_t{slot} << 48 | std::int64_t{series} << 16 | part;
}
constexpr std::uint32_t series_of_chunk(std::int64_t key) {
  return static_cast<std::uint32_t>(key >> 16);
}
constexpr int slot_of_chunk(std::int64_t key) {
  return static_cast<int>(key >> 48);
}
constexpr std::uint32_t kMostParts = 0xffff;

class DayFile {
 public:
  struct OpenSlot {
    std::size_t points = 0;
    std::chrono::steady_clock::time_point touched;
  };

  static Result<std::unique_ptr<DayFile>> open(const StoreFile& file, Timestamp now,
                                               SeriesRegistry& registry);

  // All of this day. They are on the disk when it returns, or none of them is.
  Status append(std::span<const Sample> samples, std::chrono::steady_clock::time_point now);

  const std::map<int, OpenSlot>& open_slots() const { return open_slots_; }
  Status seal(int slot);

  // One chunk of a series where there were several small ones. The number of chunks saved.
  Result<std::size_t> merge_small_chunks();

  // Whether the hours of this day have been copied to the roll-up as they are now.
  bool rolled_up() const { return rolled_up_; }
  Status set_rolled_up();
  // What the points of the series come to in each hour.
  Result<Hours> hours_of(std::uint32_t number);
  const SeriesTable& series() const { return series_; }

  // Gives pages that are not used any more back to the file system.
  Status shrink();

  Day day() const { return day_; }
  Database& database() { return *database_; }

 private:
  struct Existing;
  DayFile(std::unique_ptr<Database> database, Day day, SeriesRegistry& registry)
      : database_(std::move(database)), day_(day), series_(*database_, registry) {}
  Status load(std::chrono::steady_clock::time_point now);
  Status write_block(int slot, std::span<const BlockPoint> points);
  Status seal_series(int slot, bool had_chunks, std::uint32_t first, std::uint32_t last);
  Status write_series(int slot, bool had_chunks, std::uint32_t number, std::vector<Point>& points);
  Status write_chunk(std::int64_t key, std::span<const Point> points);
  Result<std::vector<Existing>> existing_chunks(int slot, std::uint32_t number);
  Result<Statement*> statement(int which);

  std::unique_ptr<Database> database_;
  Day day_;
  SeriesTable series_;
  std::map<int, OpenSlot> open_slots_;
  bool rolled_up_ = false;
  std::map<int, Statement> statements_;
};

}  // namespace schedlens::memory
