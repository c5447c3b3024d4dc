// SPDX-License-Identifier: Apache-2.0
// What users of other baselines complained about, each as it ought to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "baseline/baseline.h"
#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

using testing::HasSubstr;

constexpr Seconds kHour{3600}, kMinute{60};

Watched hourly(Floors floors, Direction direction = Direction::kBoth) {
  Watched watched;
  watched.name = "series";
  watched.floors = floors;
  watched.direction = direction;
  return watched;
}

class CasesTest : public testing::Test {
 protected:
  // A gauge of which there are points, rolled up hour by hour.
  void roll_up(Baseline& baseline, const std::vector<Point>& list, Timestamp from, Timestamp to,
               std::span<const Mask> masks = {}) {
    BucketOptions options;
    options.kind = baseline.watched().kind;
    options.width = baseline.watched().width;
    baseline.put(into_buckets(list, masks, from, to, options).value());
  }
  // The same value in each of ten minutes of the hour; the last verdict.
  Verdict hold(Baseline& baseline, std::string_view date, int hour, double value) {
    Verdict verdict;
    for (int minute = 10; minute < 20; ++minute) {
      verdict = baseline.judge(now(at(date, hour, minute), value));
    }
    return verdict;
  }

  InZone zone_{"UTC"};
  Calendar calendar_;
};

// A hole in the data alarmed again 7, 14, 21 and 28 days later (grafana synthetic monitoring 231).
TEST_F(CasesTest, AGapHasNoEcho) {
  auto watched = hourly({5, 0.1, false});
  Calendar alike{Weekend(), {}};
  Baseline all_days(watched, alike);
  auto list = points(at("2026-11-23", 0), at("2026-11-30", 0), kMinute, [](Timestamp t) {
    bool gap = t >= at("2026-11-23", 10) && t < at("2026-11-23", 11);
    return gap ? std::nan("") : 100 + 10.0 * static_cast<double>(t.unix_seconds / 3600 % 24);
  });
  roll_up(all_days, list, at("2026-11-23", 0), at("2026-11-30", 0));
  auto verdict = hold(all_days, "2026-11-30", 10, 200);
  EXPECT_EQ(verdict.state, State::kNormal);
  EXPECT_FALSE(verdict.alarm);
  EXPECT_EQ(all_days.expected(now(at("2026-11-30", 10, 20), 200)).used.size(), 6U);
  EXPECT_THAT(all_days.explain(verdict), HasSubstr("200, as usual: 200"));
  EXPECT_THAT(all_days.explain(verdict), HasSubstr("left out Mon 23 Nov (no samples)"));
}

// Daylight saving time (elasticsearch 107115).
TEST_F(CasesTest, TheDayOnWhichTheClockIsMovedIsLikeAnyOther) {
  InZone berlin("Europe/Berlin");
  auto watched = hourly({5, 0.1, false});
  Calendar alike{Weekend(), {}};
  // Both changes; the load follows the clock on the wall: 50 at night, 500 from 8 to 18.
  for (std::string_view sunday : {"2026-03-29", "2026-10-25"}) {
    Baseline baseline(watched, alike);
    auto load = [](Timestamp t) {
      std::time_t seconds = t.unix_seconds;
      std::tm local{};
      localtime_r(&seconds, &local);
      return local.tm_hour >= 8 && local.tm_hour < 18 ? 500.0 : 50.0;
    };
    auto begin = windows_of(day(sunday) - 7, kHour).front().begin;
    auto end = windows_of(day(sunday) + 2, kHour).front().begin;
    auto list = points(begin, end, kMinute, load);
    roll_up(baseline, list, begin, windows_of(day(sunday), kHour).front().begin);
    int judged = 0, without = 0;
    for (auto t = windows_of(day(sunday), kHour).front().begin; t < end; t = t + Seconds{300}) {
      if (t == windows_of(day(sunday) + 1, kHour).front().begin) {
        roll_up(baseline, list, windows_of(day(sunday), kHour).front().begin, t);
      }
      auto span = Span{t, t + Seconds{300}};
      auto verdict = baseline.judge(bucket_over(list, {}, span, kMinute, {}));
      EXPECT_FALSE(verdict.alarm) << local_day(t).number << " " << t.unix_seconds;
      ++judged;
      without += verdict.state == State::kNoBaseline ? 1 : 0;
      if (verdict.state == State::kNoBaseline) {
        EXPECT_THAT(baseline.explain(verdict), HasSubstr("the clock is moved"));
      }
    }
    // In October two hours are not judged; in March the hour does not exist.
    EXPECT_EQ(without, sunday == "2026-10-25" ? 24 : 0);
    EXPECT_EQ(judged, sunday == "2026-10-25" ? 25 * 12 + 24 * 12 : 23 * 12 + 24 * 12);
    // The day after, the hour that was left out is named.
    auto monday = windows_of(day(sunday) + 1, kHour);
    auto& expected = baseline.expected(now(monday[2].begin + Seconds{1200}, 50));
    ASSERT_EQ(expected.left_out.size(), 1U);
    EXPECT_EQ(expected.left_out[0].why, "clock moved");
    EXPECT_EQ(expected.used.size(), 6U);
  }
}

// A band half an hour beside the traffic (promql-anomaly-detection 5).
TEST_F(CasesTest, TheBandLiesOverTheTraffic) {
  auto watched = hourly({5, 0.02, false});
  watched.kind = SeriesKind::kCounter;
  watched.recent = kHour;
  Calendar alike{Weekend(), {}};
  Baseline baseline(watched, alike);
  // A saw-tooth: the rate per hour rises from 0 at midnight by 100 an hour, for 24 hours.
  auto counted = [](Timestamp t) {
    auto hours = static_cast<double>(t.unix_seconds % 86400) / 3600;
    auto days = t.unix_seconds / 86400 - 20000;
    return static_cast<double>(days) * 28800 + 50 * hours * hours;
  };
  auto list = points(at("2026-11-22", 23), at("2026-12-01", 0), kMinute, counted);
  roll_up(baseline, list, at("2026-11-23", 0), at("2026-11-30", 0));
  BucketOptions options;
  options.kind = SeriesKind::kCounter;
  for (int minute = 70; minute < 1440; minute += 7) {
    auto end = at("2026-11-30", 0, minute);
    Span span{end + Seconds{-3600}, end};
    auto value = bucket_over(list, {}, span, kMinute, options);
    auto band = baseline.expected(value).band.value();
    EXPECT_NEAR(band.centre, *value.value, 13) << minute;  // a shift by 30 minutes would be 50
    EXPECT_EQ(baseline.judge(value).state, State::kNormal) << minute;
  }
}

// A baseline of the whole day was used where that of the hour was meant (ai-dba-workbench 348), and
// one was lost to labels that did not match (promql-anomaly-detection 63).
TEST_F(CasesTest, HoursHaveExpectationsOfTheirOwnAndShowThem) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  for (int back = 7; back >= 1; --back) {
    auto of = day("2026-11-30") - back;
    for (int hour = 0; hour < 24; ++hour) baseline.put(bucket(of, hour, hour == 15 ? 900 : 30));
  }
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 3, 20), 0)).band->centre, 30);
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 15, 20), 0)).band->centre, 900);
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 3, 40), 0)).band->centre, 30);
  auto verdict = baseline.judge(now(at("2026-11-30", 15, 45), 900));
  EXPECT_THAT(baseline.explain(verdict),
              HasSubstr("the same time on Fri 27 Nov 900, Thu 26 Nov 900, Wed 25 Nov 900"));
}

// "6am cron job" (netdata 12127).
TEST_F(CasesTest, WhatHappensAtSixEachDayIsUsualAtSixAndNotAtSeven) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  auto list = points(at("2026-11-16", 0), at("2026-11-30", 0), kMinute,
                     [](Timestamp t) { return t.unix_seconds / 3600 % 24 == 6 ? 900.0 : 20.0; });
  roll_up(baseline, list, at("2026-11-16", 0), at("2026-11-30", 0));
  EXPECT_FALSE(hold(baseline, "2026-11-30", 6, 900).alarm);
  EXPECT_TRUE(hold(baseline, "2026-11-30", 7, 900).alarm);
  // And when it does not happen.
  EXPECT_EQ(hold(baseline, "2026-12-01", 6, 20).state, State::kLow);
}

// Flat series (netdata 12967, AnomalyDetection 67).
TEST_F(CasesTest, TheFloorDecidesForAFlatSeries) {
  auto watched = hourly({5, 0.1, true});
  Baseline baseline(watched, calendar_);
  for (int back = 7; back >= 1; --back) {
    for (int hour = 0; hour < 24; ++hour) {
      baseline.put(bucket(day("2026-11-30") - back, hour, 0));
    }
  }
  EXPECT_EQ(hold(baseline, "2026-11-30", 10, 0).state, State::kNormal);
  EXPECT_EQ(hold(baseline, "2026-11-30", 11, 1).state, State::kNormal);
  EXPECT_EQ(hold(baseline, "2026-11-30", 12, 17).state, State::kNormal);
  EXPECT_EQ(hold(baseline, "2026-11-30", 13, 18).state, State::kHigh);
}

// Holidays (AnomalyDetection 95).
TEST_F(CasesTest, AHolidayIsComparedWithDaysOff) {
  auto watched = hourly({5, 0.1, false});
  auto load = [&](Day of, int hour) {
    bool off = calendar_.class_of(of) == DayClass::kOff || of == day("2026-11-26");
    return hour >= 8 && hour < 20 ? (off ? 50.0 : 400.0) : 50.0;
  };
  for (bool in_file : {true, false}) {
    Calendar calendar(parse_weekend("sat,sun").value(),
                      parse_holidays(in_file ? "2026-11-26 Thanksgiving" : "").value());
    Baseline baseline(watched, calendar);
    for (auto of = day("2026-11-01"); of < day("2026-11-26"); of = of + 1) {
      for (int hour = 0; hour < 24; ++hour) baseline.put(bucket(of, hour, load(of, hour)));
    }
    int alarms = 0, notes = 0;
    Verdict noon;
    for (int minute = 0; minute < 1440; ++minute) {
      if (minute > 0 && minute % 60 == 0) {
        baseline.put(bucket(day("2026-11-26"), minute / 60 - 1, 50));
      }
      auto verdict = baseline.judge(now(at("2026-11-26", 0, minute + 1), 50, kMinute));
      alarms += verdict.alarm ? 1 : 0;
      notes += verdict.like_other_class ? 1 : 0;
      if (minute == 720) noon = verdict;
    }
    EXPECT_EQ(alarms, 0);
    EXPECT_EQ(notes, in_file ? 0 : 720);
    baseline.judge(now(at("2026-11-26", 12, 1), 50, kMinute));
    auto text = baseline.explain(noon);
    EXPECT_EQ(noon.state, in_file ? State::kNormal : State::kLow);
    EXPECT_THAT(text, HasSubstr(in_file ? "50, as usual: 50"
                                        : "today is a working day and looks like a day off: is it "
                                          "missing in the holidays?"));
  }
}

// The other side of it: a breakdown on a working day is no holiday.
TEST_F(CasesTest, ABreakdownAtNoonIsNoHoliday) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  auto load = [&](Day of, int hour) {
    bool off = calendar_.class_of(of) == DayClass::kOff;
    return hour >= 8 && hour < 20 ? (off ? 50.0 : 400.0) : 50.0;
  };
  for (auto of = day("2026-11-01"); of < day("2026-11-26"); of = of + 1) {
    for (int hour = 0; hour < 24; ++hour) baseline.put(bucket(of, hour, load(of, hour)));
  }
  for (int hour = 0; hour < 12; ++hour) {
    baseline.put(bucket(day("2026-11-26"), hour, load(day("2026-11-26"), hour)));
  }
  EXPECT_TRUE(hold(baseline, "2026-11-26", 12, 50).alarm);
}

// An hour after midnight nobody can know what kind of day it is.
TEST_F(CasesTest, TheFirstHoursMakeNoHoliday) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  for (auto of = day("2026-11-01"); of < day("2026-11-26"); of = of + 1) {
    bool off = calendar_.class_of(of) == DayClass::kOff;
    for (int hour = 0; hour < 24; ++hour) baseline.put(bucket(of, hour, off ? 50 : 400));
  }
  auto judged = [&](int hour) { return hold(baseline, "2026-11-26", hour, 50).like_other_class; };
  for (int hour = 0; hour < 6; ++hour) {
    EXPECT_EQ(judged(hour), hour >= 3) << hour;
    baseline.put(bucket(day("2026-11-26"), hour, 50));
  }
}

// Too little history (AnomalyDetection 20 and 28).
TEST_F(CasesTest, TwoDaysAreNoBaseline) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  for (int hour = 0; hour < 24; ++hour) {
    baseline.put(bucket(day("2026-11-26"), hour, 100));
    baseline.put(bucket(day("2026-11-27"), hour, 110));
  }
  auto verdict = hold(baseline, "2026-11-30", 10, 5000);
  EXPECT_EQ(verdict.state, State::kNoBaseline);
  EXPECT_FALSE(verdict.alarm);
  EXPECT_THAT(baseline.explain(verdict),
              HasSubstr("5000, no baseline (2 of 4 days); the same time on Fri 27 Nov 110, Thu 26 "
                        "Nov 100; left out Sun 29 Nov, Sat 28 Nov (weekend), Wed 25 Nov"));
}

// An interval of 30 s was assumed where 900 s was real (VictoriaMetrics 7825).
TEST_F(CasesTest, ASlowSeriesIsNotTakenForAMissingOne) {
  auto list = points(at("2026-11-30", 0), at("2026-11-30", 10), {900}, [](Timestamp) { return 7; });
  auto cadence = observed_cadence(list);
  ASSERT_EQ(cadence, Seconds{900});
  Span quarter{at("2026-11-30", 9, 30), at("2026-11-30", 9, 50)};
  EXPECT_TRUE(bucket_over(list, {}, quarter, cadence, {}).usable());
  EXPECT_FALSE(is_stale(at("2026-11-30", 9, 45), cadence, at("2026-11-30", 10, 20)));
  EXPECT_TRUE(is_stale(at("2026-11-30", 9, 45), cadence, at("2026-11-30", 10, 31)));
}

// Counter resets (prometheus 16618): 100, 101, 3, 4.
TEST_F(CasesTest, ACounterThatStartsAgainHasNotFallen) {
  std::vector<Point> list;
  double counted[] = {99, 100, 101, 3, 4, 5};
  for (int i = 0; i < 6; ++i) list.push_back({at("2026-11-30", 9, 58 + i), counted[i]});
  BucketOptions options;
  options.kind = SeriesKind::kCounter;
  Span span{at("2026-11-30", 9, 58), at("2026-11-30", 10, 3)};
  auto value = bucket_over(list, {}, span, kMinute, options);
  EXPECT_EQ(why_left_out(value), "counter reset");
  EXPECT_NEAR(value.value.value(), 60, 1e-9);  // 1 a minute in the minutes that are known
}

// A metric that falls to zero vanished instead of alarming (promql-anomaly-detection).
TEST_F(CasesTest, ADropToZeroIsSeen) {
  const auto* share = find_watched("gpu_allocated_share");
  Baseline baseline(*share, calendar_);
  for (int back = 7; back >= 1; --back) {
    for (int window = 0; window < 96; ++window) {
      baseline.put(bucket(day("2026-11-30") - back, window, 0.9 + 0.01 * (back % 3)));
    }
  }
  Timestamp alarm;
  for (int minute = 0; minute < 30 && alarm.unix_seconds == 0; ++minute) {
    auto end = at("2026-11-30", 12, minute);
    // The median of five minutes, of which three are zero from 12:03 on.
    if (baseline.judge(now(end, minute < 3 ? 0.9 : 0)).alarm) alarm = end;
  }
  EXPECT_EQ(alarm, at("2026-11-30", 12, 5));
}

// Yesterday's incident is no excuse for today's.
TEST_F(CasesTest, AnIncidentYesterdayDoesNotHideOneToday) {
  auto watched = hourly({5, 0.1, true});
  Baseline baseline(watched, calendar_);
  auto today = day("2026-11-27");
  for (int back = 7; back >= 1; --back) {
    for (int hour = 0; hour < 24; ++hour) {
      baseline.put(bucket(today - back, hour, back == 1 && hour >= 9 && hour < 14 ? 1000 : 200));
    }
  }
  auto verdict = hold(baseline, "2026-11-27", 10, 1000);
  EXPECT_TRUE(verdict.alarm);
  EXPECT_EQ(baseline.expected(now(at("2026-11-27", 10, 20), 0)).band->centre, 200);
  EXPECT_NEAR(baseline.expected(now(at("2026-11-27", 10, 20), 0)).band->high, 283.8, 0.1);
}

// Low counts: 0 to 3 failures an hour.
TEST_F(CasesTest, FourFailuresAreNoAlarmAndTwelveAre) {
  const auto* failed = find_watched("jobs_failed");
  Baseline baseline(*failed, calendar_);
  // As often as with a mean of 1.2 an hour.
  constexpr std::array<double, 10> kCounts = {1, 0, 2, 1, 3, 0, 1, 2, 1, 1};
  for (int back = 7; back >= 1; --back) {
    for (int hour = 0; hour < 24; ++hour) {
      auto i = static_cast<std::size_t>(back * 7 + hour) % kCounts.size();
      baseline.put(bucket(day("2026-11-30") - back, hour, kCounts[i]));
    }
  }
  auto judged = [&](int hour, double value) {
    return baseline.judge(now(at("2026-11-30", hour), value, kHour)).state;
  };
  EXPECT_EQ(judged(10, 4), State::kNormal);
  EXPECT_EQ(judged(11, 0), State::kNormal);
  EXPECT_EQ(judged(12, 12), State::kHigh);
}

// What is kept of the past changes when its windows are complete, and at midnight.
TEST_F(CasesTest, ExpectationsFollowTheHistory) {
  auto watched = hourly({5, 0.1, false});
  Baseline baseline(watched, calendar_);
  for (int back = 5; back >= 1; --back) {
    baseline.put(bucket(day("2026-11-28") - back, 10, 100));
  }
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 10, 20), 0)).band->centre, 100);
  for (int back = 5; back >= 1; --back) {
    baseline.put(bucket(day("2026-11-28") - back, 10, 300));
  }
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 10, 21), 0)).band->centre, 300);
  // Of a day that is not over nothing is usual yet.
  baseline.put(bucket(day("2026-11-30"), 10, 900));
  EXPECT_EQ(baseline.expected(now(at("2026-11-30", 10, 22), 0)).band->centre, 300);
  EXPECT_EQ(baseline.expected(now(at("2026-12-01", 10, 20), 0)).used.size(), 5U);
}

}  // namespace
}  // namespace schedlens::baseline
