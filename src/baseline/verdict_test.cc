// SPDX-License-Identifier: Apache-2.0
#include "baseline/verdict.h"

#include <gtest/gtest.h>

#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

Expectation band_of_100() {
  Expectation expected;
  expected.band = Band{60, 100, 140, {}, Scale({10, 0, false})};
  return expected;
}

class StreakTest : public testing::Test {
 protected:
  // One value a minute.
  Verdict add(double value, const Expectation& expected = band_of_100()) {
    time_ = time_ + Seconds{60};
    return judge(now(time_, value), expected, persistence_, direction_, streak_);
  }

  Persistence persistence_;
  Direction direction_ = Direction::kBoth;
  Streak streak_;
  Timestamp time_{1000 * 60};
};

TEST_F(StreakTest, ThreeOfFiveMakeAnAlarm) {
  EXPECT_FALSE(add(150).alarm);
  EXPECT_FALSE(add(100).alarm);
  EXPECT_FALSE(add(150).alarm);
  auto third = add(150);
  EXPECT_TRUE(third.alarm);
  EXPECT_EQ(third.state, State::kHigh);
  EXPECT_EQ(third.since, Timestamp{1001 * 60});
  EXPECT_EQ(third.spreads, 5);
}

TEST_F(StreakTest, OneValueInAWhileMakesNone) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(add(i % 3 == 0 ? 500 : 100).alarm);
  }
}

TEST_F(StreakTest, EndsOnlyWellInside) {
  for (int i = 0; i < 3; ++i) add(30);
  // Inside, and more than half of the way to the edge: stands.
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(add(75).alarm);
  EXPECT_TRUE(add(85).alarm);
  EXPECT_TRUE(add(85).alarm);
  auto last = add(85);
  EXPECT_FALSE(last.alarm);
  EXPECT_FALSE(last.since);
}

TEST_F(StreakTest, OnlyTheSideThatMattersMakesAnAlarm) {
  direction_ = Direction::kHigh;
  for (int i = 0; i < 5; ++i) {
    auto verdict = add(10);
    EXPECT_FALSE(verdict.alarm);
    EXPECT_EQ(verdict.state, State::kLow);
  }
  for (int i = 0; i < 2; ++i) add(150);
  EXPECT_TRUE(add(150).alarm);
}

TEST_F(StreakTest, ThreeOnOppositeSidesMakeNone) {
  EXPECT_FALSE(add(150).alarm);
  EXPECT_FALSE(add(10).alarm);
  EXPECT_FALSE(add(150).alarm);
  EXPECT_FALSE(add(10).alarm);
}

TEST_F(StreakTest, OutlivesAFewValuesThatCannotBeJudged) {
  Expectation none;
  for (int i = 0; i < 3; ++i) add(150);
  for (int i = 0; i < 4; ++i) {
    auto verdict = add(150, none);
    EXPECT_EQ(verdict.state, State::kNoBaseline);
    EXPECT_TRUE(verdict.alarm);
  }
  EXPECT_FALSE(add(150, none).alarm);
  EXPECT_FALSE(add(150).alarm);
  EXPECT_FALSE(add(150).alarm);
  EXPECT_TRUE(add(150).alarm);
}

TEST(Judge, IsNotDoneWithoutAValueOrUnderAMask) {
  auto missing = now({6000}, 0);
  missing.value.reset();
  missing.left_out = LeftOut::kTooFewSamples;
  auto verdict = judge(missing, band_of_100());
  EXPECT_EQ(verdict.state, State::kNotJudged);
  EXPECT_EQ(name(verdict.state), "not_judged");
  EXPECT_EQ(sentence(verdict, band_of_100(), "jobs"), "not judged (too few samples)");
  auto masked = now({6000}, 0);
  masked.left_out = LeftOut::kMaintenance;
  masked.note = "rack 7";
  verdict = judge(masked, band_of_100());
  EXPECT_EQ(verdict.state, State::kNotJudged);
  EXPECT_EQ(sentence(verdict, band_of_100(), "jobs"), "not judged (maintenance: rack 7)");
}

TEST(Shown, HasTheUnitOfTheSeries) {
  EXPECT_EQ(shown(412, "jobs"), "412 jobs");
  EXPECT_EQ(shown(412.4, ""), "412");
  EXPECT_EQ(shown(3.14159, "jobs"), "3.14 jobs");
  EXPECT_EQ(shown(0.831, "share"), "83 %");
  EXPECT_EQ(shown(0.25, "s"), "0.25 s");
  EXPECT_EQ(shown(7500, "s"), "2h5m");
  EXPECT_EQ(shown(3 << 20, "bytes"), "3 MiB");
}

TEST(Sentence, ShowsTheDaysUsedAndLeftOut) {
  InZone zone("UTC");
  History history({3600});
  auto monday = day("2026-11-23");
  double list[] = {180, 205, 190, 201, 199, 20, 10};
  for (int i = 0; i < 7; ++i) history.put(bucket(monday + i, 10, list[i]));
  Calendar calendar;
  ExpectationOptions options{SeriesKind::kGauge, {5, 0.1, true}};
  auto expected = expectation(history, calendar, place_of(at("2026-11-30", 10), {3600}), options);
  Streak streak;
  Verdict verdict;
  for (int minute = 1; minute <= 16; ++minute) {
    verdict = judge(now(at("2026-11-30", 10, minute), 412), expected, {}, Direction::kHigh, streak);
  }
  EXPECT_TRUE(verdict.alarm);
  EXPECT_EQ(sentence(verdict, expected, "jobs"),
            "412 jobs, 7.3 spreads above the usual 199 (140 to 282) for 15m0s; the same time on "
            "Fri 27 Nov 199, Thu 26 Nov 201, Wed 25 Nov 190, Tue 24 Nov 205, Mon 23 Nov 180; left "
            "out Sun 29 Nov, Sat 28 Nov (weekend)");
}

}  // namespace
}  // namespace schedlens::baseline
