// SPDX-License-Identifier: Apache-2.0
#include "slurm/value_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/time_text.h"

namespace schedlens::slurm {
namespace {

TEST(ValueText, WordsForNothingAreAbsent) {
  for (auto word :
       {"", "(null)", "N/A", "n/a", "None", "NONE", "Unknown", "NOT_SET", "INVALID", "*"}) {
    EXPECT_TRUE(says_nothing(word)) << word;
    EXPECT_FALSE(parse_count(word)) << word;
    EXPECT_FALSE(parse_duration(word)) << word;
    EXPECT_FALSE(parse_time_limit(word).known()) << word;
    EXPECT_TRUE(symbol_or_empty(word).empty()) << word;
  }
  EXPECT_FALSE(says_nothing("0"));
  EXPECT_FALSE(says_nothing("none-at-all"));
}

// The words that stand in time columns.
TEST(ValueText, TimeWordsAreNoMoments) {
  TimeReader time;
  for (auto word : {"Unknown", "None", "N/A", "NOT_SET", "INVALID", "Partition_Limit", "UNLIMITED",
                    "0001-13-01T00:00:00", "2026-11-30T03:39", "2026-11-30T25:00:00",
                    "2026-11-30T03:61:00", "2026-11-30T03:39:21Z"}) {
    EXPECT_FALSE(time(word)) << word;
  }
  EXPECT_FALSE(parse_time_limit("Partition_Limit").known());
  EXPECT_FALSE(parse_time_limit("INVALID").known());
  EXPECT_EQ(parse_time_limit("UNLIMITED"), Bound<Seconds>::unlimited());
}

TEST(ValueText, MomentsAreThoseOfTheMachinesZone) {
  TimeReader time;
  for (auto text : {"2026-11-30T03:39:21", "2026-11-30T03:00:00", "2026-07-01T12:59:59",
                    "2026-11-29T13:00:01", "2025-01-01T00:00:00", "2026-11-30T03:39:21"}) {
    ASSERT_TRUE(time(text)) << text;
    EXPECT_EQ(time(text), parse_local_time(text)) << text;
  }
}

TEST(ValueText, ManyHoursDoNotMixUp) {
  TimeReader time;
  for (int day = 1; day <= 28; ++day) {
    for (int hour = 0; hour < 24; ++hour) {
      auto text = fmt::format("2026-{:02}-{:02}T{:02}:30:15", day % 12 + 1, day, hour);
      ASSERT_EQ(time(text), parse_local_time(text)) << text;
    }
  }
}

TEST(ValueText, Durations) {
  EXPECT_EQ(parse_duration("1-02:03:04"), Seconds{93784});
  EXPECT_EQ(parse_duration("7-00:00:00"), Seconds{604800});
  EXPECT_EQ(parse_duration("02:03:04"), Seconds{7384});
  EXPECT_EQ(parse_duration("03:04.5"), Seconds{184});
  EXPECT_EQ(parse_duration("00:00.042"), Seconds{0});
  EXPECT_EQ(parse_duration("1:00:00"), Seconds{3600});
  EXPECT_EQ(parse_duration("0:00"), Seconds{0});
  for (auto bad : {"5", "-1:00", "1:2:3:4", "1-2:3", "1:xx", "1:2.", ":", "1-", "99999999999:00"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
}

TEST(ValueText, MemoryUnits) {
  EXPECT_EQ(parse_mebibytes("4000"), mebibytes(4000));
  EXPECT_EQ(parse_mebibytes("4000M"), mebibytes(4000));
  EXPECT_EQ(parse_mebibytes("500G"), mebibytes(512000));
  EXPECT_EQ(parse_mebibytes("1.5T"), mebibytes(1572864));
  EXPECT_EQ(parse_mebibytes("1.50T"), mebibytes(1572864));
  EXPECT_EQ(parse_mebibytes("7812.50G"), mebibytes(8000000));
  EXPECT_EQ(parse_mebibytes("2P"), mebibytes(2LL << 30));
  EXPECT_EQ(parse_mebibytes("512K"), Bytes{524288});
  EXPECT_EQ(parse_mebibytes("0"), Bytes{0});
  for (auto bad : {"", "M", "-1G", "1.2.3G", "4000MB", "nanG", "1e400", "99999999999999999999G"}) {
    EXPECT_FALSE(parse_mebibytes(bad)) << bad;
  }
}

TEST(ValueText, CountsKnowSlurmsNoValue) {
  EXPECT_EQ(parse_count("4"), 4u);
  EXPECT_EQ(parse_count("2K"), 2048u);
  EXPECT_FALSE(parse_count("4294967294"));
  EXPECT_FALSE(parse_count("4294967295"));
  EXPECT_FALSE(parse_count("18446744073709551614"));
  EXPECT_FALSE(parse_count("99999999999999999999999"));
  EXPECT_FALSE(parse_count("-1"));
  EXPECT_FALSE(parse_count32("5000000000"));
  EXPECT_EQ(parse_count_limit("UNLIMITED"), Bound<std::uint32_t>::unlimited());
  EXPECT_EQ(parse_count_limit("2"), Bound<std::uint32_t>::of(2));
}

TEST(ValueText, Lists) {
  EXPECT_EQ(symbol_list("a100,ib"), (std::vector{Symbol("a100"), Symbol("ib")}));
  EXPECT_TRUE(symbol_list("(null)").empty());
  EXPECT_EQ(symbol_list("a,,b").size(), 2u);
}

}  // namespace
}  // namespace schedlens::slurm
