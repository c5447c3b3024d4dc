// SPDX-License-Identifier: Apache-2.0
// The first byte chooses what the rest is: a chunk, a block, hours, labels, or doubles to be
// stored. What can be read is the same when it is written and read again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "memory/chunk.h"
#include "memory/codec.h"
#include "memory/series_key.h"

using namespace schedlens;
using namespace schedlens::memory;

namespace {

void expect(bool holds) {
  if (!holds) __builtin_trap();
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void chunk(std::string_view bytes) {
  constexpr Moment kFirst{1'796'083'200'000};
  std::vector<Point> points, again;
  if (!decode_chunk(bytes, kFirst, points)) return;
  expect(points.size() <= kMostPoints);
  expect(decode_chunk(encode_chunk(points), kFirst, again).has_value());
  expect(again.size() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    expect(again[i].time == points[i].time && same_bits(again[i].value, points[i].value));
    expect(i == 0 || points[i - 1].time < points[i].time);
  }
}

void block(std::string_view bytes) {
  std::size_t points = 0;
  (void)decode_block(
      bytes, [](std::uint32_t series) { return series % 2 == 0; },
      [&](const BlockPoint&) { ++points; });
  expect(points <= bytes.size());
}

void hours(std::string_view bytes) {
  const auto read = decode_hours(bytes);
  if (!read) return;
  const auto again = decode_hours(encode_hours(*read));
  expect(again.has_value());
  for (std::size_t h = 0; h < read->size(); ++h) {
    expect((*again)[h].n == (*read)[h].n && same_bits((*again)[h].last, (*read)[h].last));
  }
}

void labels(std::string_view text) {
  const auto read = parse_labels(text);
  if (!read) return;
  const auto again = parse_labels(labels_text(*read));
  expect(again.has_value());
}

void doubles(std::string_view bytes) {
  std::vector<double> values(bytes.size() / sizeof(double)), back;
  if (values.empty()) return;
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  std::string coded;
  encode_doubles(values, coded);
  std::string_view in = coded;
  expect(decode_doubles(in, values.size(), back) && in.empty());
  for (std::size_t i = 0; i < values.size(); ++i) expect(same_bits(back[i], values[i]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr std::array kKinds = {chunk, block, hours, labels, doubles};
  kKinds.at(data[0] % kKinds.size())(rest);
  return 0;
}
