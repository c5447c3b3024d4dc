// SPDX-License-Identifier: Apache-2.0
#include "baseline/masks.h"

#include <gtest/gtest.h>

#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

TEST(Masks, LastWhileAReservationIsActive) {
  std::vector<Point> active = {{{60}, 0},  {{120}, 1}, {{180}, 1}, {{240}, 0},
                               {{300}, 0}, {{360}, 1}, {{3600}, 1}};
  auto masks = masks_while(active, LeftOut::kReservation, "course");
  ASSERT_EQ(masks.size(), 2U);
  EXPECT_EQ(masks[0].begin, Timestamp{60});
  EXPECT_EQ(masks[0].end, Timestamp{240});
  EXPECT_EQ(masks[0].why, LeftOut::kReservation);
  EXPECT_EQ(masks[0].note, "course");
  EXPECT_EQ(masks[1].begin, Timestamp{300});
  EXPECT_EQ(masks[1].end, Timestamp{3600});
  EXPECT_TRUE(masks_while({}, LeftOut::kReservation, "").empty());
}

TEST(Masks, OfOneThatWasActiveFromTheBeginning) {
  std::vector<Point> active = {{{60}, 1}};
  auto masks = masks_while(active, LeftOut::kMaintenance, "");
  ASSERT_EQ(masks.size(), 1U);
  EXPECT_EQ(masks[0].begin, Timestamp{60});
}

TEST(Masks, OfARestartLieBetweenTheSamplesAroundIt) {
  InZone zone("UTC");
  auto midnight_utc = static_cast<double>(at("2026-11-30", 0).unix_seconds);
  auto restarted = static_cast<double>(at("2026-11-30", 10, 20).unix_seconds);
  std::vector<Point> since = {{at("2026-11-29", 23, 59), midnight_utc - 86400},
                              {at("2026-11-30", 0, 1), midnight_utc + 12},
                              {at("2026-11-30", 10, 20), midnight_utc + 13},
                              {at("2026-11-30", 10, 21), restarted},
                              {at("2026-11-30", 10, 22), restarted + 1}};
  auto masks = masks_of_restarts(since, true);
  ASSERT_EQ(masks.size(), 1U);
  EXPECT_EQ(masks[0].begin, at("2026-11-30", 10, 20));
  EXPECT_EQ(masks[0].end, at("2026-11-30", 10, 21));
  EXPECT_EQ(masks[0].why, LeftOut::kControllerRestart);
  // Of what does not begin anew each midnight, one at midnight is a restart as well.
  EXPECT_EQ(masks_of_restarts(since, false).size(), 2U);
}

}  // namespace
}  // namespace schedlens::baseline
