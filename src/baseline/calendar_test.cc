// SPDX-License-Identifier: Apache-2.0
#include "baseline/calendar.h"

#include <gtest/gtest.h>

#include "baseline/series_test.h"

namespace schedlens::baseline {
namespace {

TEST(Calendar, KnowsWeekends) {
  Calendar plain;
  EXPECT_EQ(plain.class_of(day("2026-11-27")), DayClass::kWorking);  // Friday
  EXPECT_EQ(plain.class_of(day("2026-11-28")), DayClass::kOff);
  EXPECT_EQ(plain.class_of(day("2026-11-29")), DayClass::kOff);
  EXPECT_EQ(plain.name_of(day("2026-11-29")), "weekend");
  Calendar gulf(parse_weekend("Fri, Sat").value(), {});
  EXPECT_EQ(gulf.class_of(day("2026-11-27")), DayClass::kOff);
  EXPECT_EQ(gulf.class_of(day("2026-11-29")), DayClass::kWorking);
  Calendar alike(parse_weekend("none").value(), {});
  EXPECT_EQ(alike.class_of(day("2026-11-28")), DayClass::kWorking);
  EXPECT_EQ(parse_weekend("sat,sonntag").error().message(),
            "'sonntag' is no weekday: sat,sun or none");
  EXPECT_FALSE(parse_weekend(""));
}

TEST(Calendar, ReadsHolidays) {
  auto holidays = parse_holidays(
      "# ours\n"
      "2026-11-26 Thanksgiving   # a Thursday\n"
      "\n"
      "2026-12-24..2027-01-01 shutdown\n"
      "02-29\n"
      "12-06 St Nicholas\n");
  ASSERT_TRUE(holidays) << holidays.error().message();
  ASSERT_EQ(holidays->size(), 4U);
  Calendar calendar(parse_weekend("sat,sun").value(), *holidays);
  EXPECT_EQ(calendar.name_of(day("2026-11-26")), "holiday Thanksgiving");
  EXPECT_EQ(calendar.class_of(day("2026-11-26")), DayClass::kOff);
  EXPECT_EQ(calendar.class_of(day("2025-11-26")), DayClass::kWorking);
  EXPECT_EQ(calendar.class_of(day("2026-12-23")), DayClass::kWorking);
  EXPECT_EQ(calendar.class_of(day("2026-12-24")), DayClass::kOff);
  EXPECT_EQ(calendar.class_of(day("2027-01-01")), DayClass::kOff);
  EXPECT_EQ(calendar.class_of(day("2027-01-04")), DayClass::kWorking);
  EXPECT_EQ(calendar.class_of(day("2028-02-29")), DayClass::kOff);  // a Tuesday
  EXPECT_EQ(calendar.class_of(day("2027-12-06")), DayClass::kOff);  // a Monday
}

TEST(Calendar, RefusesWhatIsNoDate) {
  EXPECT_EQ(parse_holidays("\n26.11.2026 Thanksgiving").error().message(),
            "line 2: '26.11.2026' is no date: 2026-12-25, 12-25 or two of them with .. between");
  EXPECT_EQ(parse_holidays("2026-12-24..2026-12-20 x").error().message(),
            "line 1: '2026-12-24..2026-12-20' ends before it begins");
  EXPECT_FALSE(parse_holidays("2026-12-24..01-01 x"));
  EXPECT_FALSE(parse_holidays("2026-02-30 x"));
}

}  // namespace
}  // namespace schedlens::baseline
