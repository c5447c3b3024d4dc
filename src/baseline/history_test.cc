// SPDX-License-Identifier: Apache-2.0
#include "baseline/history.h"

#include <gtest/gtest.h>

#include "baseline/series_test.h"

namespace schedlens::baseline {
namespace {

TEST(History, KeepsFourWeeks) {
  History history({3600});
  auto first = day("2026-11-01");
  for (int i = 0; i < History::kDays; ++i) history.put(bucket(first + i, 5, 100 + i));
  EXPECT_EQ(history.usable(first, 5), 100);
  EXPECT_EQ(history.usable(first + 28, 5), 128);
  EXPECT_FALSE(history.usable(first + 28, 6));
  history.put(bucket(first + 29, 5, 7));
  EXPECT_FALSE(history.usable(first, 5));
  EXPECT_EQ(history.usable(first + 1, 5), 101);
  EXPECT_EQ(history.usable(first + 29, 5), 7);
  // Too old: dropped, and nothing of today is lost for it.
  history.put(bucket(first, 5, 9));
  EXPECT_FALSE(history.usable(first, 5));
  EXPECT_EQ(history.usable(first + 29, 5), 7);
  EXPECT_EQ(history.why_not(first, 5), "no data");
}

TEST(History, SaysWhyAValueIsNotUsed) {
  History history({3600});
  auto masked = bucket(day("2026-11-30"), 5, 100);
  masked.left_out = LeftOut::kMaintenance;
  masked.note = "rack 7";
  history.put(masked);
  EXPECT_FALSE(history.usable(day("2026-11-30"), 5));
  EXPECT_EQ(history.why_not(day("2026-11-30"), 5), "maintenance: rack 7");
  EXPECT_EQ(history.why_not(day("2026-11-30"), 6), "no data");
  // The same place once more takes the place of it.
  history.put(bucket(day("2026-11-30"), 5, 3));
  EXPECT_EQ(history.usable(day("2026-11-30"), 5), 3);
  EXPECT_EQ(history.why_not(day("2026-11-30"), 5), "");
}

TEST(History, OfADayThatComesInAnyOrder) {
  History history({900});
  EXPECT_EQ(history.windows(), 96);
  history.put(bucket(day("2026-11-30"), 95, 1));
  history.put(bucket(day("2026-11-28"), 0, 2));
  EXPECT_EQ(history.usable(day("2026-11-28"), 0), 2);
  EXPECT_EQ(history.usable(day("2026-11-30"), 95), 1);
  EXPECT_FALSE(history.usable(day("2026-11-29"), 0));
}

}  // namespace
}  // namespace schedlens::baseline
