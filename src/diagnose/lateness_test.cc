// SPDX-License-Identifier: Apache-2.0
#include "diagnose/lateness.h"

#include <gtest/gtest.h>

namespace schedlens::diagnose {
namespace {

constexpr Timestamp kMade{1000};
const StartForecast kForecast{Timestamp{1080}, Timestamp{1100}, Timestamp{1120}, 30, ""};

TEST(Lateness, OfFewStartsChangesNothing) {
  Lateness lateness;
  for (int i = 0; i < 19; ++i) lateness.add(2);
  EXPECT_FALSE(lateness.quantile(0.5));
  EXPECT_EQ(corrected(kForecast, kMade, lateness).expected, Timestamp{1100});
}

TEST(Lateness, MovesWhatIsExpectedAndWidensTheRange) {
  Lateness lateness;
  for (int i = 0; i < 101; ++i) lateness.add(0.5 + 0.03 * i);  // from 0.5 to 3.5
  const auto f = corrected(kForecast, kMade, lateness);
  EXPECT_EQ(f.expected, Timestamp{1200});
  EXPECT_EQ(f.earliest, Timestamp{1080}) << "eight tenths of the wait, as it was already";
  EXPECT_EQ(f.latest, Timestamp{1320});
}

TEST(Lateness, NeverMakesTheRangeNarrower) {
  Lateness lateness;
  for (int i = 0; i < 50; ++i) lateness.add(1);
  const auto f = corrected(kForecast, kMade, lateness);
  EXPECT_EQ(f.earliest, Timestamp{1080});
  EXPECT_EQ(f.latest, Timestamp{1120});
}

TEST(Lateness, LeavesAloneWhatIsNotForecast) {
  Lateness lateness;
  for (int i = 0; i < 50; ++i) lateness.add(3);
  StartForecast none;
  none.unknown = "it is held";
  EXPECT_FALSE(corrected(none, kMade, lateness).expected);
  auto now = kForecast;
  now.expected = kMade;
  EXPECT_EQ(corrected(now, kMade, lateness).expected, kMade);
}

TEST(Lateness, ForgetsTheOldest) {
  Lateness lateness;
  for (int i = 0; i < 200; ++i) lateness.add(3);
  for (int i = 0; i < 200; ++i) lateness.add(1);
  EXPECT_EQ(lateness.quantile(0.9), 1);
}

}  // namespace
}  // namespace schedlens::diagnose
