// SPDX-License-Identifier: Apache-2.0
#include "memory/chunk.h"

#include <algorithm>
#include <cstring>

#include "memory/codec.h"

namespace schedlens::memory {
namespace {

constexpr std::size_t kMostBlockPoints = 1U << 26;

}  // namespace

std::string encode_chunk(std::span<const Point> points) {
  std::string out;
  put_varint(points.size(), out);
  if (points.empty()) return out;
  std::vector<std::int64_t> steps;
  std::vector<double> values;
  steps.reserve(points.size());
  values.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) steps.push_back(points[i].time.unix_ms - points[i - 1].time.unix_ms);
    values.push_back(points[i].value);
  }
  encode_integers(steps, out);
  encode_doubles(values, out);
  return out;
}

Status decode_chunk(std::string_view bytes, Moment first, std::vector<Point>& out) {
  std::uint64_t n = 0;
  if (!take_varint(bytes, n)) return fail("damaged chunk: no length");
  if (n > kMostPoints) return fail("damaged chunk: {} points", n);
  if (n == 0) return {};
  std::vector<std::int64_t> steps;
  std::vector<double> values;
  if (!decode_integers(bytes, n - 1, steps)) return fail("damaged chunk: times");
  if (!decode_doubles(bytes, n, values)) return fail("damaged chunk: values");
  if (!bytes.empty()) return fail("damaged chunk: {} bytes too many", bytes.size());
  auto time = first.unix_ms;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      if (steps[i - 1] <= 0 || steps[i - 1] > kMsPerDay)
        return fail("damaged chunk: order of times");
      time += steps[i - 1];
    }
    out.push_back({{time}, values[i]});
  }
  return {};
}

// Columns: how many points; series, each as the difference to the one before; times, likewise;
// values, eight bytes each. So a reader that wants one series passes over the others quickly.
std::string encode_block(std::span<const BlockPoint> points) {
  std::string series, times, out;
  std::uint32_t series_before = 0;
  std::int64_t time_before = 0;
  for (const auto& point : points) {
    put_varint(point.series - series_before, series);
    put_varint(zigzag(point.time.unix_ms - time_before), times);
    series_before = point.series;
    time_before = point.time.unix_ms;
  }
  put_varint(points.size(), out);
  put_varint(series.size(), out);
  put_varint(times.size(), out);
  out += series;
  out += times;
  const auto head = out.size();
  out.resize(head + points.size() * sizeof(double));
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::memcpy(out.data() + head + i * sizeof(double), &points[i].value, sizeof(double));
  }
  return out;
}

Result<BlockReader> BlockReader::open(std::string_view bytes) {
  std::uint64_t count = 0, series = 0, times = 0;
  if (!take_varint(bytes, count) || !take_varint(bytes, series) || !take_varint(bytes, times) ||
      count > kMostBlockPoints || series > bytes.size() || times > bytes.size() - series ||
      bytes.size() - series - times != count * sizeof(double)) {
    return fail("damaged block of points");
  }
  BlockReader reader;
  reader.count_ = count;
  reader.series_bytes_ = bytes.substr(0, series);
  reader.time_bytes_ = bytes.substr(series, times);
  reader.values_ = bytes.substr(series + times);
  return reader;
}

bool BlockReader::next() {
  if (damaged_ || at_ == count_) return false;
  std::uint64_t series = 0, time = 0;
  if (!take_varint(series_bytes_, series) || !take_varint(time_bytes_, time)) {
    damaged_ = true;
    return false;
  }
  series_ += static_cast<std::uint32_t>(series);
  time_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_) +
                                    static_cast<std::uint64_t>(unzigzag(time)));
  ++at_;
  return true;
}

double BlockReader::value() const {
  double value = 0;
  std::memcpy(&value, values_.data() + (at_ - 1) * sizeof value, sizeof value);
  return value;
}

std::string encode_hours(const Hours& hours) {
  std::uint64_t present = 0;
  std::vector<std::int64_t> n;
  std::array<std::vector<double>, 4> columns;
  for (std::size_t h = 0; h < hours.size(); ++h) {
    const auto& hour = hours[h];
    if (hour.n == 0) continue;
    present |= std::uint64_t{1} << h;
    n.push_back(static_cast<std::int64_t>(hour.n));
    columns[0].push_back(hour.sum);
    columns[1].push_back(hour.min);
    columns[2].push_back(hour.max);
    columns[3].push_back(hour.last);
  }
  std::string out;
  put_varint(present, out);
  if (n.empty()) return out;
  encode_integers(n, out);
  for (const auto& column : columns) encode_doubles(column, out);
  return out;
}

Result<Hours> decode_hours(std::string_view bytes) {
  std::uint64_t present = 0;
  if (!take_varint(bytes, present) || present >> 24 != 0) return fail("damaged hours");
  Hours hours;
  const auto count = static_cast<std::size_t>(__builtin_popcountll(present));
  if (count == 0) return hours;
  std::vector<std::int64_t> n;
  std::array<std::vector<double>, 4> columns;
  if (!decode_integers(bytes, count, n)) return fail("damaged hours");
  for (auto& column : columns) {
    if (!decode_doubles(bytes, count, column)) return fail("damaged hours");
  }
  if (!bytes.empty()) return fail("damaged hours");
  std::size_t at = 0;
  for (std::size_t h = 0; h < hours.size(); ++h) {
    if (!(present >> h & 1)) continue;
    if (n[at] <= 0) return fail("damaged hours");
    auto& hour = hours[h];
    hour.n = static_cast<std::uint64_t>(n[at]);
    hour.sum = columns[0][at];
    hour.min = columns[1][at];
    hour.max = columns[2][at];
    hour.last = columns[3][at];
    ++at;
  }
  return hours;
}

}  // namespace schedlens::memory
