// SPDX-License-Identifier: Apache-2.0
#include "baseline/day.h"

#include <gtest/gtest.h>

#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

constexpr Seconds kHour{3600};

TEST(Day, IsReadAndWritten) {
  EXPECT_EQ(iso_date(day("2026-11-30")), "2026-11-30");
  EXPECT_EQ(short_date(day("2026-11-30")), "30 Nov");
  EXPECT_EQ(weekday_name(day("2026-11-30")), "Mon");
  EXPECT_EQ(weekday(day("1970-01-04")), 0);
  EXPECT_EQ(iso_date(day("2026-12-31") + 1), "2027-01-01");
  EXPECT_EQ(day("1970-01-01").number, 0);
  EXPECT_FALSE(parse_day("2026-02-29"));
  EXPECT_FALSE(parse_day("2026-2-09"));
  EXPECT_FALSE(parse_day("2026-13-01"));
  EXPECT_FALSE(parse_day("2026-11-30 "));
  EXPECT_FALSE(parse_day("-026-11-30"));
}

TEST(Day, BeginsAtLocalMidnight) {
  InZone zone("Asia/Tokyo");
  EXPECT_EQ(iso_date(local_day({1764514799})), "2025-11-30");  // 23:59:59 there
  EXPECT_EQ(iso_date(local_day({1764514800})), "2025-12-01");
  EXPECT_EQ(iso_date(local_day({-9 * 3600 - 1})), "1969-12-31");
}

TEST(Windows, OfAPlainDayAreAsWideAsAsked) {
  InZone zone("Europe/Berlin");
  auto windows = windows_of(day("2026-11-30"), kHour);
  ASSERT_EQ(windows.size(), 24U);
  EXPECT_EQ(windows[0].begin.unix_seconds, 1795993200);  // 2026-11-29T23:00:00Z
  EXPECT_EQ(windows[23].end.unix_seconds, 1795993200 + 86400);
  for (const auto& window : windows) EXPECT_FALSE(window.moved);
}

TEST(Windows, TheHourThatIsLeftOutInSpringDidNotHappen) {
  InZone zone("Europe/Berlin");
  auto windows = windows_of(day("2026-03-29"), kHour);
  ASSERT_EQ(windows.size(), 24U);
  EXPECT_FALSE(windows[1].moved);
  EXPECT_TRUE(windows[2].moved);
  EXPECT_EQ(windows[2].begin, windows[2].end);
  EXPECT_FALSE(windows[3].moved);
  EXPECT_EQ(windows[3].begin, windows[1].end);
  EXPECT_EQ(windows[23].end - windows[0].begin, Seconds{23 * 3600});
}

TEST(Windows, TheHourThatComesTwiceInAutumnIsOneWindow) {
  InZone zone("Europe/Berlin");
  auto windows = windows_of(day("2026-10-25"), kHour);
  ASSERT_EQ(windows.size(), 24U);
  EXPECT_TRUE(windows[2].moved);
  EXPECT_EQ(windows[2].end - windows[2].begin, Seconds{7200});
  EXPECT_FALSE(windows[1].moved);
  EXPECT_FALSE(windows[3].moved);
  EXPECT_EQ(windows[3].begin, windows[2].end);
  EXPECT_EQ(windows[23].end - windows[0].begin, Seconds{25 * 3600});
}

TEST(Windows, SomeZonesMoveTheClockAtMidnightOrByHalfAnHour) {
  {
    InZone zone("America/Santiago");  // 2026-09-06 begins at 01:00
    auto windows = windows_of(day("2026-09-06"), kHour);
    EXPECT_TRUE(windows[0].moved);
    EXPECT_FALSE(windows[1].moved);
    EXPECT_EQ(windows[23].end - windows[1].begin, Seconds{23 * 3600});
  }
  InZone zone("Australia/Lord_Howe");  // 2026-10-04: 02:00 becomes 02:30
  auto windows = windows_of(day("2026-10-04"), kHour);
  EXPECT_TRUE(windows[2].moved);
  EXPECT_EQ(windows[2].end - windows[2].begin, Seconds{1800});
  EXPECT_FALSE(windows[3].moved);
}

TEST(Windows, AMomentIsInOne) {
  InZone zone("Europe/Berlin");
  auto place = place_of(at("2026-11-30", 10, 20), {900});
  EXPECT_EQ(place.day, day("2026-11-30"));
  EXPECT_EQ(place.window, 41);
  EXPECT_EQ(place.bounds.begin, at("2026-11-30", 10, 15));
  // The hour that comes twice: 02:30 the second time is three and a half hours after midnight.
  auto second = place_of(at("2026-10-25", 3, 30), kHour);
  EXPECT_EQ(second.window, 2);
  EXPECT_TRUE(second.bounds.moved);
}

TEST(Zone, HasToBeKnown) {
  InZone before("UTC");
  EXPECT_TRUE(use_zone(""));
  EXPECT_EQ(iso_date(local_day({1764514800})), "2025-11-30");
  ASSERT_TRUE(use_zone("Asia/Tokyo"));
  EXPECT_EQ(iso_date(local_day({1764514800})), "2025-12-01");
  auto refused = use_zone("Asia/Tokio");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "no time zone Asia/Tokio: one such as Europe/Berlin is wanted, of the package tzdata");
  EXPECT_FALSE(use_zone("../passwd"));
  EXPECT_EQ(iso_date(local_day({1764514800})), "2025-12-01");
}

TEST(Windows, HaveAWidthThatDividesADay) {
  EXPECT_TRUE(check_width({900}));
  EXPECT_TRUE(check_width({86400}));
  EXPECT_FALSE(check_width({0}));
  EXPECT_FALSE(check_width({30}));
  auto refused = check_width({7 * 3600});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "a window of 25200 s: it has to be whole minutes and divide a day");
}

}  // namespace
}  // namespace schedlens::baseline
