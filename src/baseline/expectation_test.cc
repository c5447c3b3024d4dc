// SPDX-License-Identifier: Apache-2.0
#include "baseline/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

using testing::ElementsAre;

constexpr Seconds kHour{3600};

std::vector<double> values(const Expectation& expected) {
  std::vector<double> list;
  for (const auto& used : expected.used) list.push_back(used.value);
  return list;
}

class ExpectationTest : public testing::Test {
 protected:
  Expectation at_ten(std::string_view date) {
    return expectation(history_, calendar_, place_of(at(date, 10), kHour), options_);
  }
  // Hour 10 of days from the first on.
  void put(std::string_view first, std::initializer_list<double> list) {
    auto of = day(first);
    for (auto value : list) {
      history_.put(bucket(of, 10, value));
      of = of + 1;
    }
  }

  InZone zone_{"UTC"};
  History history_{kHour};
  Calendar calendar_;
  ExpectationOptions options_{SeriesKind::kGauge, {5, 0.1, true}};
};

TEST_F(ExpectationTest, IsTheMedianOfTheLikeDaysOfAWeek) {
  put("2026-11-23", {180, 205, 190, 201, 199, 20, 10});
  auto expected = at_ten("2026-11-30");
  EXPECT_THAT(values(expected), ElementsAre(199, 201, 190, 205, 180));
  ASSERT_TRUE(expected.band);
  EXPECT_EQ(expected.band->centre, 199);
  // A tenth of 199 is more than 5 and than the root of 199; 3.5 such steps are usual.
  EXPECT_EQ(expected.band->spread.up, 1);
  EXPECT_NEAR(expected.band->low, 199 * std::exp(-0.35), 1e-9);
  EXPECT_NEAR(expected.band->high, 199 * std::exp(0.35), 1e-9);
  EXPECT_NEAR(expected.band->spreads(412), std::log(412.0 / 199) / 0.1, 1e-9);
  ASSERT_EQ(expected.left_out.size(), 2U);
  EXPECT_EQ(iso_date(expected.left_out[0].day), "2026-11-29");
  EXPECT_EQ(expected.left_out[0].why, "weekend");
}

TEST_F(ExpectationTest, OfAWeekendGoesBackFurther) {
  // Four weeks, working days 200 and days off 20 and more.
  put("2026-10-31", {21, 22});
  for (auto monday : {"2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23"}) {
    put(monday, {200, 200, 200, 200, 200});
  }
  put("2026-11-07", {23, 24});
  put("2026-11-14", {25, 26});
  put("2026-11-21", {27, 28});
  auto expected = at_ten("2026-11-28");
  EXPECT_THAT(values(expected), ElementsAre(28, 27, 26, 25, 24, 23, 22));
  EXPECT_EQ(expected.band->centre, 25);
}

TEST_F(ExpectationTest, OfAWorkingDayGoesBackFurtherOnlyWithTooFewDays) {
  put("2026-11-16", {1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10});
  EXPECT_THAT(values(at_ten("2026-11-30")), ElementsAre(10, 9, 8, 7, 6));
  for (auto missing : {"2026-11-27", "2026-11-26"}) {
    auto masked = bucket(day(missing), 10, 0);
    masked.left_out = LeftOut::kMaintenance;
    history_.put(masked);
  }
  auto expected = at_ten("2026-11-30");
  EXPECT_THAT(values(expected), ElementsAre(8, 7, 6, 5, 4, 3, 2));
  // Sunday, Saturday, and the two; of the week before only what could have been used is named.
  ASSERT_EQ(expected.left_out.size(), 4U);
  EXPECT_EQ(expected.left_out[2].why, "maintenance");
}

TEST_F(ExpectationTest, IsNoneWithFewerThanFourDays) {
  put("2026-11-25", {180, 190, 200});
  auto expected = at_ten("2026-11-30");
  EXPECT_FALSE(expected.band);
  EXPECT_EQ(expected.used.size(), 3U);
  put("2026-11-24", {170});
  EXPECT_EQ(at_ten("2026-11-30").band->centre, 185);
}

TEST_F(ExpectationTest, EndsWhereTheSeriesEnds) {
  options_.floors = {0.1, 0, false};
  options_.most = 1;
  put("2026-11-23", {0.9, 0.9, 0.9, 0.9, 0.9});
  auto band = at_ten("2026-11-30").band.value();
  EXPECT_NEAR(band.low, 0.55, 1e-6);
  EXPECT_EQ(band.high, 1);
  put("2026-11-23", {0.34, 0.34, 0.34, 0.34, 0.34});
  EXPECT_EQ(at_ten("2026-11-30").band->low, 0);
}

TEST_F(ExpectationTest, WhatHappensEveryThursdayIsUsualOnAThursday) {
  fill(history_, day("2026-11-01"), day("2026-11-29"),
       [](Day of, int window) { return weekday(of) == 4 && window == 10 ? 900.0 : 200.0; });
  auto thursday = at_ten("2026-11-26");
  EXPECT_EQ(thursday.band->centre, 200);
  EXPECT_TRUE(thursday.band->holds(900));
  EXPECT_EQ(thursday.every_week.size(), 3U);
  EXPECT_FALSE(at_ten("2026-11-27").band->holds(900));
  auto eleven = expectation(history_, calendar_, place_of(at("2026-11-26", 11), kHour), options_);
  EXPECT_FALSE(eleven.band->holds(900));
}

TEST_F(ExpectationTest, WhatHappenedOnOneThursdayIsNot) {
  fill(history_, day("2026-11-01"), day("2026-11-29"),
       [](Day of, int window) { return of == day("2026-11-19") && window == 10 ? 900.0 : 200.0; });
  auto thursday = at_ten("2026-11-26");
  EXPECT_FALSE(thursday.band->holds(900));
  EXPECT_TRUE(thursday.every_week.empty());
}

TEST_F(ExpectationTest, TheHoursBeforeMidnightAreNearThoseAfterIt) {
  // From 22 to 1 the values double on Monday, Wednesday and Friday; else they are the same.
  fill(history_, day("2026-11-23"), day("2026-11-30"), [](Day of, int window) {
    bool night = window >= 22 || window == 0;
    return night && weekday(of) % 2 == 1 ? 2000.0 : 1000.0;
  });
  auto at_hour = [&](int hour) {
    auto place = place_of(at("2026-11-30", hour), kHour);
    return expectation(history_, calendar_, place, options_).band.value().spread;
  };
  // Near midnight are 22, 23, 0, 1 and 2. In the three that double, the others of a value of 2000
  // have the median 1500, of one of 1000 2000; of 25 errors 10 are none, 9 the former, 6 the
  // latter.
  EXPECT_NEAR(at_hour(0).down, 1.4826 * std::log(2000.0 / 1500) / 0.1, 1e-9);
  EXPECT_EQ(at_hour(12).down, 1);
}

TEST_F(ExpectationTest, TheWindowWithTheGreaterPartDecides) {
  for (int i = 0; i < 5; ++i) history_.put(bucket(day("2026-11-23") + i, 9, 400));
  auto between = [&](int begin_minute) {
    auto begin = at("2026-11-30", 9, begin_minute);
    return expectation(history_, calendar_, Span{begin, begin + kHour}, options_);
  };
  EXPECT_EQ(between(15).band->centre, 400);
  EXPECT_FALSE(between(45).band);
  EXPECT_TRUE(between(45).used.empty());
}

TEST_F(ExpectationTest, OverTheEdgeOfTwoHours) {
  fill(history_, day("2026-11-23"), day("2026-11-30"),
       [](Day, int window) { return window == 10 ? 100.0 : 400.0; });
  // From 09:45 to 10:45: a quarter of it is hour 9.
  Span span{at("2026-11-30", 9, 45), at("2026-11-30", 10, 45)};
  options_.kind = SeriesKind::kCounter;
  EXPECT_NEAR(expectation(history_, calendar_, span, options_).band->centre, 175, 1e-9);
  options_.kind = SeriesKind::kGauge;
  auto gauge = expectation(history_, calendar_, span, options_).band.value();
  EXPECT_EQ(gauge.centre, 100);
  // Of hour 10, three and a half roots down: 10 - 3.5 / 2, squared. Of hour 9 as many tenths up.
  EXPECT_NEAR(gauge.low, 68.0625, 1e-9);
  EXPECT_NEAR(gauge.high, 400 * std::exp(0.35), 1e-9);
  Span within{at("2026-11-30", 10, 0), at("2026-11-30", 11, 0)};
  EXPECT_NEAR(expectation(history_, calendar_, within, options_).band->high, 100 * std::exp(0.35),
              1e-9);
}

TEST_F(ExpectationTest, BandsAreExportedForEveryHour) {
  fill(history_, day("2026-11-23"), day("2026-11-30"),
       [](Day, int window) { return 100.0 * window; });
  auto points = bands(history_, calendar_, {at("2026-11-30", 0), at("2026-12-01", 0)}, options_);
  ASSERT_EQ(points.size(), 24U);
  EXPECT_EQ(points[7].begin, at("2026-11-30", 7));
  EXPECT_EQ(points[7].band->centre, 700);
  EXPECT_NEAR(points[7].band->low, 700 * std::exp(-0.35), 1e-9);
  EXPECT_NEAR(points[7].band->high, 700 * std::exp(0.35), 1e-9);
  // Nobody knows of the Saturday after: the data have only one weekend.
  auto saturday = bands(history_, calendar_, {at("2026-12-05", 0), at("2026-12-05", 2)}, options_);
  ASSERT_EQ(saturday.size(), 2U);
  EXPECT_FALSE(saturday[0].band);
}

}  // namespace
}  // namespace schedlens::baseline
