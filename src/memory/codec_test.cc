// SPDX-License-Identifier: Apache-2.0
#include "memory/codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "memory/chunk.h"

namespace schedlens::memory {
namespace {

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const auto v : values) bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

// Bytes a value.
double expect_exact(const std::vector<double>& values) {
  std::string bytes;
  encode_doubles(values, bytes);
  std::string_view rest = bytes;
  std::vector<double> back;
  EXPECT_TRUE(decode_doubles(rest, values.size(), back));
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(bits_of(back), bits_of(values));
  return static_cast<double>(bytes.size()) / static_cast<double>(values.size());
}

std::vector<double> made(std::size_t n, const std::function<double(std::size_t)>& value) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(value(i));
  return values;
}

TEST(Codec, VarintsAndZigzag) {
  for (const std::uint64_t v : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                std::uint64_t{300}, ~std::uint64_t{0}}) {
    std::string bytes;
    put_varint(v, bytes);
    std::string_view in = bytes;
    std::uint64_t back = 1;
    EXPECT_TRUE(take_varint(in, back));
    EXPECT_EQ(back, v);
    EXPECT_TRUE(in.empty());
    std::string_view cut = std::string_view(bytes).substr(0, bytes.size() - 1);
    EXPECT_FALSE(take_varint(cut, back));
  }
  for (const std::int64_t v :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(unzigzag(zigzag(v)), v);
  }
  EXPECT_EQ(zigzag(-1), 1U);
  EXPECT_EQ(zigzag(1), 2U);
}

TEST(Codec, IntegersOfAnySizeComeBack) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const auto n = 1 + random() % 150;
    const unsigned width = static_cast<unsigned>(random() % 64);
    std::vector<std::int64_t> values, back;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(static_cast<std::int64_t>(random()) >> width);
      // Now and then one that is far from all others.
      if (random() % 50 == 0) values.back() = static_cast<std::int64_t>(random());
    }
    std::string bytes;
    encode_integers(values, bytes);
    std::string_view in = bytes;
    ASSERT_TRUE(decode_integers(in, n, back));
    ASSERT_EQ(back, values);
    ASSERT_TRUE(in.empty());
  }
}

TEST(Codec, EveryDoubleComesBackWithTheSameBits) {
  using Limits = std::numeric_limits<double>;
  expect_exact({0.0, -0.0, Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::signaling_NaN(),
                Limits::infinity(), -Limits::infinity(), Limits::max(), Limits::lowest(),
                Limits::min(), Limits::denorm_min(), -Limits::denorm_min(), Limits::epsilon()});
  expect_exact({1.5, Limits::quiet_NaN(), 1.5});
  expect_exact({0.0, -0.0});
  expect_exact({-0.0, -0.0, -0.0});
  expect_exact({9007199254740992.0, 1, 0.5, -9007199254740991.0});
  expect_exact({1e300, -1e300, 1e-300});
  expect_exact({0.1});
}

TEST(Codec, RandomSequencesComeBackWithTheSameBits) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 3000; ++round) {
    const auto n = 1 + random() % 150;
    const auto kind = random() % 6;
    std::vector<double> values;
    double walk = 50;
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = random();
      walk += static_cast<double>(static_cast<std::int64_t>(bits % 21) - 10) / 10;
      switch (kind) {
        case 0:
          values.push_back(std::bit_cast<double>(bits));
          break;
        case 1:
          values.push_back(std::round(walk * 10) / 10);
          break;
        case 2:
          values.push_back(static_cast<double>(bits % 8));
          break;
        case 3:
          values.push_back(static_cast<double>(bits) / 1e19);
          break;
        case 4:
          values.push_back(bits % 9 == 0 ? std::nan("") : walk);
          break;
        default:
          values.push_back(static_cast<double>(static_cast<std::int64_t>(bits)) / 1000);
      }
    }
    expect_exact(values);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(Codec, RealisticGaugesAreSmall) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise;
  double walk = 0, bytes = 0;
  // An hour and more of: GPUs in use, a percentage with one decimal, MiB of memory, a counter.
  EXPECT_LT(expect_exact(made(120, [](auto i) { return i < 70 ? 512 : 504; })), 0.4);
  EXPECT_LT(
      expect_exact(made(120, [&](auto) { return std::round(900 + 20 * noise(random)) / 10; })),
      1.0);
  EXPECT_LT(expect_exact(
                made(120, [&](auto) { return std::round(81920 + (walk += 30 * noise(random))); })),
            1.1);
  walk = 1e9;
  EXPECT_LT(
      expect_exact(made(120, [&](auto) { return std::round(walk += 500 + 20 * noise(random)); })),
      1.0);
  // With all its digits a double has nothing that could be left out but its exponent.
  bytes = expect_exact(made(120, [&](auto) { return 0.5 + noise(random) / 100; }));
  EXPECT_LT(bytes, 8);
}

TEST(Codec, DecimalPlacesAreExact) {
  std::vector<std::int64_t> scaled;
  EXPECT_EQ(decimal_places(std::vector<double>{1, 2.5, 0.25}, scaled), 2);
  EXPECT_EQ(scaled, (std::vector<std::int64_t>{100, 250, 25}));
  EXPECT_EQ(decimal_places(std::vector<double>{93.4, 0.1, 0.7}, scaled), 1);
  EXPECT_EQ(decimal_places(std::vector<double>{1.0 / 3}, scaled), -1);
  EXPECT_EQ(decimal_places(std::vector<double>{-0.0}, scaled), -1);
  EXPECT_EQ(decimal_places(std::vector<double>{0.1 + 0.2}, scaled), -1);
}

std::vector<Point> points_at(const std::vector<std::int64_t>& times) {
  std::vector<Point> points;
  for (const auto t : times) points.push_back({{t}, static_cast<double>(t % 7)});
  return points;
}

TEST(Chunk, PointsComeBack) {
  for (const auto& points : {points_at({}), points_at({1000}), points_at({1000, 1001, 61000}),
                             points_at({0, 60000, 120000, 180000})}) {
    std::vector<Point> back;
    const auto first = points.empty() ? Moment{} : points[0].time;
    ASSERT_TRUE(decode_chunk(encode_chunk(points), first, back));
    ASSERT_EQ(back.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(back[i].time, points[i].time);
      EXPECT_EQ(back[i].value, points[i].value);
    }
  }
}

// Whatever happens to the bytes: an answer or an error, and never more points than a chunk holds.
TEST(Chunk, DamagedBytesNeverCrash) {
  std::mt19937_64 random(4);
  std::vector<Point> points;
  for (int i = 0; i < 120; ++i) {
    points.push_back({{i * 60000 + static_cast<int>(random() % 20)},
                      i % 2 ? static_cast<double>(random()) / 7 : 1.5});
  }
  const auto whole = encode_chunk(points);
  const auto block = encode_block(std::vector<BlockPoint>{{1, {5}, 1.0}, {1, {6}, 2}, {9, {5}, 3}});
  Hours hours;
  hours[3] = summarise(points);
  hours[4] = summarise(std::span(points).first(7));
  const auto day = encode_hours(hours);
  for (int round = 0; round < 20000; ++round) {
    const auto damage = [&](std::string bytes) {
      for (auto i = random() % 4; i > 0; --i) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      bytes.resize(random() % (bytes.size() + 1));
      return bytes;
    };
    std::vector<Point> out;
    (void)decode_chunk(damage(whole), {0}, out);
    ASSERT_LE(out.size(), kMostPoints);
    (void)decode_hours(damage(day));
    std::size_t seen = 0;
    (void)decode_block(
        damage(block), [](auto) { return true; }, [&](auto) { ++seen; });
    ASSERT_LE(seen, 3U);
  }
}

TEST(Block, OnlyWhatIsWantedIsTaken) {
  const std::vector<BlockPoint> points = {
      {1, {50}, 1.0}, {1, {40}, 2.0}, {7, {50}, std::nan("")}, {8, {1764547200000}, -3}};
  std::vector<BlockPoint> taken;
  const auto bytes = encode_block(points);
  ASSERT_TRUE(decode_block(
      bytes, [](auto series) { return series != 7; },
      [&](const BlockPoint& point) { taken.push_back(point); }));
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken[1].time.unix_ms, 40);
  EXPECT_EQ(taken[1].value, 2.0);
  EXPECT_EQ(taken[2].series, 8U);
  EXPECT_EQ(taken[2].time.unix_ms, 1764547200000);
  EXPECT_FALSE(decode_block(
      std::string_view(bytes).substr(0, bytes.size() - 1), [](auto) { return true; }, [](auto) {}));
}

TEST(HoursOfADay, ComeBackAndAbsentHoursStayAbsent) {
  Hours hours;
  hours[0] = summarise(points_at({1, 2, 3}));
  hours[23] = summarise(std::vector<Point>{{{0}, INFINITY}, {{1}, -INFINITY}});
  auto back = decode_hours(encode_hours(hours));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ((*back)[0].n, 3U);
  EXPECT_EQ((*back)[0].sum, 6);
  EXPECT_EQ((*back)[0].last, 3);
  EXPECT_EQ((*back)[1].n, 0U);
  EXPECT_EQ((*back)[23].n, 2U);
  EXPECT_TRUE(std::isnan((*back)[23].sum));
  EXPECT_EQ((*back)[23].max, INFINITY);
}

TEST(Summaries, NaNIsNotThereAndSumsAreExact) {
  std::vector<Point> points;
  for (int i = 0; i < 10; ++i) points.push_back({{i}, 0.1});
  points.push_back({{10}, std::nan("")});
  auto summary = summarise(points);
  EXPECT_EQ(summary.n, 10U);
  EXPECT_EQ(summary.sum, 1.0);
  EXPECT_EQ(summary.last, 0.1);
  auto none = summarise(std::span(points).last(1));
  EXPECT_EQ(none.n, 0U);
  EXPECT_TRUE(std::isnan(none.min) && std::isnan(none.mean()));
  summary.add_later(none);
  EXPECT_EQ(summary.n, 10U);
  summary.add_later(summarise(std::vector<Point>{{{11}, -5}}));
  EXPECT_EQ(summary.min, -5);
  EXPECT_EQ(summary.first, 0.1);
  EXPECT_EQ(summary.last, -5);
}

}  // namespace
}  // namespace schedlens::memory
