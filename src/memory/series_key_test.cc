// SPDX-License-Identifier: Apache-2.0
#include "memory/series_key.h"

#include <gtest/gtest.h>

#include "memory/moment.h"

namespace schedlens::memory {
namespace {

TEST(SeriesKey, LabelsAreSortedAndEachNameIsThereOnce) {
  const auto key = make_key("gpus", {{"b", "2"}, {"a", "1"}, {"b", "3"}, {"c", ""}});
  EXPECT_EQ(series_text(key), R"(gpus{a="1",b="3"})");
  EXPECT_EQ(key, make_key("gpus", {{"b", "3"}, {"a", "1"}}));
  EXPECT_EQ(series_text(make_key("up")), "up");
}

TEST(SeriesKey, TextsComeBack) {
  for (const Labels& labels :
       {Labels{}, Labels{{"a", "x"}}, Labels{{"a", "q\"b\\n\n,}"}, {"b", "ä=\""}}}) {
    EXPECT_EQ(parse_labels(labels_text(labels)), labels);
  }
  for (const char* wrong : {"a", "a=", "a=\"", "=\"x\"", "a=\"x\"b", "a=\"x\",", "a=\"x\\"}) {
    EXPECT_FALSE(parse_labels(wrong)) << wrong;
  }
}

TEST(SeriesKey, Matches) {
  const auto key = make_key("gpus", {{"node", "n1"}, {"type", "a100"}});
  EXPECT_TRUE(SeriesMatch{}.matches(key));
  EXPECT_TRUE((SeriesMatch{"gpus", {{"node", "n1"}}}.matches(key)));
  EXPECT_FALSE((SeriesMatch{"gpus", {{"node", "n2"}}}.matches(key)));
  EXPECT_FALSE((SeriesMatch{"cpus", {}}.matches(key)));
  EXPECT_TRUE((SeriesMatch{"", {{"queue", ""}}}.matches(key)));
  EXPECT_FALSE((SeriesMatch{"", {{"node", ""}}}.matches(key)));
}

TEST(Moments, DaysSlotsAndMonths) {
  const Moment moment{1796089432123};  // 2026-12-01T01:43:52.123Z
  EXPECT_EQ(day_text(day_of(moment)), "2026-12-01");
  EXPECT_EQ(slot_of(moment), 0);
  EXPECT_EQ(slot_of({moment.unix_ms + kMsPerSlot}), 1);
  EXPECT_EQ(month_text(day_of(moment)), "2026-12");
  EXPECT_EQ(day_text(next_month(day_of(moment))), "2027-01-01");
  EXPECT_EQ(parse_day("2026-12-01"), day_of(moment));
  EXPECT_EQ(parse_month("2026-12"), day_of(moment));
  EXPECT_EQ(day_text(*parse_day("2028-02-29")), "2028-02-29");
  for (const char* wrong : {"2026-02-29", "2026-13-01", "2026-1-01", "x", "", "2026-12-01x"}) {
    EXPECT_FALSE(parse_day(wrong)) << wrong;
  }
  EXPECT_TRUE(can_be_filed({0}));
  EXPECT_FALSE(can_be_filed({-1}));
  EXPECT_EQ(day_text(day_of(Moment{kEndOfTime.unix_ms - 1})), "9999-12-31");
}

}  // namespace
}  // namespace schedlens::memory
