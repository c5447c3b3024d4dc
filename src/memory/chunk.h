// SPDX-License-Identifier: Apache-2.0
#pragma once
// The form in which points are stored. A chunk is some points of one series, in the order of time;
// a block is the points that came together, of any series, until chunks are made of them; a day of
// hours is what the points of one series come to in each hour of a day.
//
// Decoders take outside bytes (a file may be damaged): they fail, and never read past the end.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/point.h"

namespace schedlens::memory {

// So many points make a chunk; damaged bytes that speak of more than kMostPoints are refused.
constexpr std::size_t kChunkPoints = 120;
constexpr std::size_t kMostPoints = 4096;

// The time of the first point is kept beside the chunk.
std::string encode_chunk(std::span<const Point> points);
// Appends the points to `out`.
Status decode_chunk(std::string_view bytes, Moment first, std::vector<Point>& out);

// A point of a series that the file knows by a number.
struct BlockPoint {
  std::uint32_t series = 0;
  Moment time;
  double value = 0;
};
// `points` are by series, and the points of a series in the order they came.
std::string encode_block(std::span<const BlockPoint> points);
// Calls take(BlockPoint) for each point of the series for which wanted(series) holds.
template <class Wanted, class Take>
Status decode_block(std::string_view bytes, Wanted&& wanted, Take&& take);

using Hours = std::array<Summary, 24>;  // n is 0 for an hour without points; first is not kept
std::string encode_hours(const Hours& hours);
Result<Hours> decode_hours(std::string_view bytes);

// A block opened for reading.
class BlockReader {
 public:
  static Result<BlockReader> open(std::string_view bytes);
  // The next point, without its value; false at the end or where the block is damaged.
  bool next();
  std::uint32_t series() const { return series_; }
  Moment time() const { return {time_}; }
  double value() const;
  bool damaged() const { return damaged_; }

 private:
  std::string_view series_bytes_, time_bytes_, values_;
  std::size_t count_ = 0, at_ = 0;
  std::uint32_t series_ = 0;
  std::int64_t time_ = 0;
  bool damaged_ = false;
};

template <class Wanted, class Take>
Status decode_block(std::string_view bytes, Wanted&& wanted, Take&& take) {
  auto block = BlockReader::open(bytes);
  if (!block) return fail(block.error());
  while (block->next()) {
    if (wanted(block->series())) take(BlockPoint{block->series(), block->time(), block->value()});
  }
  if (block->damaged()) return fail("damaged block of points");
  return {};
}

}  // namespace schedlens::memory
