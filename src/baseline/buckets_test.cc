// SPDX-License-Identifier: Apache-2.0
#include "baseline/buckets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

constexpr Seconds kMinute{60};

class BucketsTest : public testing::Test {
 protected:
  Buckets cut(const std::vector<Point>& list, SeriesKind kind, std::span<const Mask> masks = {}) {
    BucketOptions options;
    options.kind = kind;
    return into_buckets(list, masks, at("2026-11-30", 0), at("2026-12-01", 0), options).value();
  }

  InZone zone_{"UTC"};
  Timestamp begin_ = at("2026-11-30", 0), end_ = at("2026-12-01", 0);
};

TEST_F(BucketsTest, AGaugeIsItsMedian) {
  // Minutes 0 to 59 of an hour as values, one of them far off.
  auto list = points(begin_, end_, kMinute, [](Timestamp t) {
    auto minute = t.unix_seconds / 60 % 60;
    return minute == 59 ? 1e6 : static_cast<double>(minute);
  });
  auto buckets = cut(list, SeriesKind::kGauge);
  ASSERT_EQ(buckets.list.size(), 24U);
  EXPECT_EQ(buckets.cadence, kMinute);
  for (const auto& bucket : buckets.list) EXPECT_EQ(bucket.value, 29.5);
  EXPECT_EQ(buckets.list[23].window, 23);
  EXPECT_TRUE(buckets.list[23].usable());
}

TEST_F(BucketsTest, ZeroIsAValueAndNoSampleIsNone) {
  auto list = points(begin_, end_, kMinute,
                     [&](Timestamp t) { return t < at("2026-11-30", 12) ? 0.0 : std::nan(""); });
  auto buckets = cut(list, SeriesKind::kGauge);
  EXPECT_EQ(buckets.list[11].value, 0.0);
  EXPECT_TRUE(buckets.list[11].usable());
  EXPECT_FALSE(buckets.list[12].usable());
  EXPECT_EQ(why_left_out(buckets.list[12]), "no samples");
}

TEST_F(BucketsTest, HalfOfTheSamplesAreEnough) {
  // Hour 3 has its first 30 minutes, hour 4 its first 29.
  auto list = points(begin_, end_, kMinute, [](Timestamp t) {
    auto hour = t.unix_seconds / 3600 % 24, minute = t.unix_seconds / 60 % 60;
    bool missing = (hour == 3 && minute >= 30) || (hour == 4 && minute >= 29);
    return missing ? std::nan("") : 7.0;
  });
  auto buckets = cut(list, SeriesKind::kGauge);
  EXPECT_TRUE(buckets.list[3].usable());
  EXPECT_EQ(buckets.list[4].left_out, LeftOut::kTooFewSamples);
  EXPECT_EQ(why_left_out(buckets.list[4]), "29 of 60 samples");
}

TEST_F(BucketsTest, ExpectedSamplesComeFromTheSeriesOwnCadence) {
  // A sample every 15 minutes: four an hour are all there are.
  auto list = points(begin_, end_, {900}, [](Timestamp) { return 3.0; });
  auto buckets = cut(list, SeriesKind::kGauge);
  EXPECT_EQ(buckets.cadence, Seconds{900});
  for (const auto& bucket : buckets.list) EXPECT_TRUE(bucket.usable());
  EXPECT_FALSE(is_stale({1000}, buckets.cadence, {1000 + 2700}));
  EXPECT_TRUE(is_stale({1000}, buckets.cadence, {1000 + 2701}));
  EXPECT_FALSE(is_stale({1000}, Seconds{30}, {1300}));
  EXPECT_TRUE(is_stale({1000}, Seconds{30}, {1301}));
}

TEST_F(BucketsTest, ACounterIsItsRatePerHour) {
  auto list = points(begin_, end_, kMinute, [&](Timestamp t) {
    return 5000 + static_cast<double>((t - begin_).value) / 60 * 2;  // 2 a minute
  });
  auto buckets = cut(list, SeriesKind::kCounter);
  for (const auto& bucket : buckets.list) {
    ASSERT_TRUE(bucket.value);
    EXPECT_NEAR(*bucket.value, 120, 1e-9);
  }
  EXPECT_EQ(buckets.resets, 0);
}

TEST_F(BucketsTest, AResetIsNeitherAFallNorARise) {
  auto list = points(begin_, end_, kMinute, [&](Timestamp t) {
    auto minutes = static_cast<double>((t - begin_).value) / 60;
    return t < at("2026-11-30", 10, 30) ? 100000 + minutes : minutes - 630;
  });
  auto buckets = cut(list, SeriesKind::kCounter);
  EXPECT_EQ(buckets.list[10].left_out, LeftOut::kCounterReset);
  EXPECT_NEAR(buckets.list[10].value.value(), 60, 1e-9);
  EXPECT_EQ(why_left_out(buckets.list[10]), "counter reset");
  EXPECT_NEAR(buckets.list[9].value.value(), 60, 1e-9);
  EXPECT_TRUE(buckets.list[9].usable());
  EXPECT_TRUE(buckets.list[11].usable());
  EXPECT_EQ(buckets.resets, 1);
  EXPECT_FALSE(buckets.oscillates);
}

TEST_F(BucketsTest, AResetOnTheHourBelongsToTheHourInWhichItIsSeen) {
  auto list = points(begin_, end_, kMinute, [&](Timestamp t) {
    auto minutes = static_cast<double>((t - begin_).value) / 60;
    return t < at("2026-11-30", 11) ? 100000 + minutes : minutes;
  });
  auto buckets = cut(list, SeriesKind::kCounter);
  EXPECT_TRUE(buckets.list[10].usable());
  EXPECT_NEAR(buckets.list[10].value.value(), 60, 1e-9);
  EXPECT_EQ(buckets.list[11].left_out, LeftOut::kCounterReset);
  EXPECT_TRUE(buckets.list[12].usable());
}

TEST_F(BucketsTest, ACounterThatFallsAndRisesAllTheTimeIsSaidToBeNone) {
  // Two sources under one name: 100, 3, 101, 4, ...
  auto list = points(begin_, end_, kMinute, [&](Timestamp t) {
    auto i = (t - begin_).value / 60;
    auto pair = i / 2;
    return static_cast<double>(pair) + (i % 2 == 0 ? 100 : 3);
  });
  auto buckets = cut(list, SeriesKind::kCounter);
  EXPECT_TRUE(buckets.oscillates);
  EXPECT_EQ(buckets.resets, 720);
}

TEST_F(BucketsTest, WhatACounterRoseByInAGapBelongsToNoHour) {
  // Nothing from 05:50 to 06:20, in which 10,000 were counted.
  auto list = points(begin_, end_, kMinute, [&](Timestamp t) {
    if (t > at("2026-11-30", 5, 50) && t < at("2026-11-30", 6, 20)) return std::nan("");
    auto minutes = static_cast<double>((t - begin_).value) / 60;
    return minutes + (t >= at("2026-11-30", 6, 20) ? 10000 : 0);
  });
  auto buckets = cut(list, SeriesKind::kCounter);
  EXPECT_NEAR(buckets.list[5].value.value(), 60, 1e-9);
  EXPECT_NEAR(buckets.list[6].value.value(), 60, 1e-9);
  EXPECT_TRUE(buckets.list[5].usable());  // 50 of 60 minutes seen
}

TEST_F(BucketsTest, WhatSomethingUnusualTouchesIsLeftOut) {
  auto list = points(begin_, end_, kMinute, [](Timestamp) { return 1.0; });
  std::vector<Mask> masks = {
      {at("2026-11-30", 4, 30), at("2026-11-30", 6), LeftOut::kMaintenance, "rack 7"},
      {at("2026-11-30", 8), at("2026-11-30", 8), LeftOut::kControllerRestart, ""},
      {at("2026-11-30", 9, 59), at("2026-11-30", 10, 1), LeftOut::kReservation, "course"},
  };
  auto buckets = cut(list, SeriesKind::kGauge, masks);
  std::vector<int> left_out;
  for (const auto& bucket : buckets.list) {
    if (!bucket.usable()) left_out.push_back(bucket.window);
  }
  EXPECT_EQ(left_out, (std::vector<int>{4, 5, 8, 9, 10}));
  EXPECT_EQ(why_left_out(buckets.list[4]), "maintenance: rack 7");
  EXPECT_EQ(why_left_out(buckets.list[8]), "scheduler restarted");
  EXPECT_EQ(why_left_out(buckets.list[10]), "reservation: course");
  EXPECT_EQ(buckets.list[4].value, 1.0);
}

TEST_F(BucketsTest, SdiagStartsAgainAtMidnightUtc) {
  InZone berlin("Europe/Berlin");
  auto masks = sdiag_resets(at("2026-11-30", 0), at("2026-12-02", 0));
  ASSERT_EQ(masks.size(), 2U);
  EXPECT_EQ(masks[0].begin, at("2026-11-30", 1));  // 00:00 UTC is 01:00 there
  EXPECT_EQ(masks[1].begin, at("2026-12-01", 1));
}

TEST_F(BucketsTest, AValueOfNowIsMadeByTheSameRules) {
  auto list = points(begin_, end_, kMinute,
                     [](Timestamp t) { return static_cast<double>(t.unix_seconds / 60 % 60); });
  BucketOptions gauge;
  auto now =
      bucket_over(list, {}, {at("2026-11-30", 10, 20), at("2026-11-30", 10, 25)}, kMinute, gauge);
  EXPECT_EQ(now.value, 22.0);
  EXPECT_TRUE(now.usable());
  auto late = bucket_over(list, {}, {end_ + Seconds{0}, end_ + Seconds{300}}, kMinute, gauge);
  EXPECT_FALSE(late.usable());
  std::vector<Mask> masks = {
      {at("2026-11-30", 10, 24), at("2026-11-30", 12), LeftOut::kMaintenance, "rack 7"}};
  auto masked = bucket_over(list, masks, {at("2026-11-30", 10, 20), at("2026-11-30", 10, 25)},
                            kMinute, gauge);
  EXPECT_EQ(why_left_out(masked), "maintenance: rack 7");
}

TEST_F(BucketsTest, AShareIsLeftOutWithEitherPartAndWhereThereIsNoWhole) {
  Bucket used = bucket({1}, 0, 30), all = bucket({1}, 0, 40), none = bucket({1}, 0, 0);
  EXPECT_EQ(divided(used, all).value, 0.75);
  EXPECT_EQ(divided(none, all).value, 0.0);
  EXPECT_TRUE(divided(none, all).usable());
  EXPECT_EQ(why_left_out(divided(used, none)), "nothing to measure");
  EXPECT_FALSE(divided(used, none).value);
  all.left_out = LeftOut::kMaintenance;
  EXPECT_EQ(why_left_out(divided(used, all)), "maintenance");
  Buckets one, two;
  one.list = {used};
  EXPECT_FALSE(divided(one, two));
}

TEST_F(BucketsTest, PointsThatDoNotAscendAreRefused) {
  std::vector<Point> list = {{begin_, 1}, {begin_, 2}};
  auto refused = into_buckets(list, {}, begin_, end_, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(), "the points do not ascend: 1795996800 after 1795996800");
}

}  // namespace
}  // namespace schedlens::baseline
