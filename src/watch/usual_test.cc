// SPDX-License-Identifier: Apache-2.0
#include "watch/usual.h"

#include <gmock/gmock.h>

#include "memory/store_dir_test.h"

namespace schedlens::watch {
namespace {

using memory::test::kDecember;
using metrics::Sample;
using ::testing::HasSubstr;

constexpr std::int64_t kDay = 86'400;

// A cluster on which 40 jobs wait at night and 100 by day, looked at every five minutes.
class UsualTest : public memory::test::StoreDir {
 protected:
  static double waiting_at(Timestamp at) {
    const auto hour = at.unix_seconds % kDay / 3600;
    const auto wobble = at.unix_seconds / 300 % 3;
    return (hour >= 8 && hour < 20 ? 100.0 : 40.0) + static_cast<double>(wobble);
  }
  static std::vector<Sample> samples(Timestamp at, double waiting) {
    return {{"schedlens_job_tasks", {{"state", "pending"}}, waiting},
            {"schedlens_job_tasks", {{"state", "running"}}, 7},
            {"schedlens_gpus_used", {{"type", "a"}}, 30},
            {"schedlens_gpus", {{"type", "a"}}, 40},
            {"schedlens_scheduler_statistics_since_timestamp_seconds",
             {},
             static_cast<double>(at.unix_seconds - at.unix_seconds % kDay)}};
  }
  // Days that went before, into the store.
  void remember_days(int days) {
    auto store = open();
    std::vector<memory::Sample> points;
    for (std::int64_t t = -days * kDay; t < 0; t += 300) {
      const auto at = kDecember + Seconds{t};
      for (const auto& s : samples(at, waiting_at(at))) {
        points.push_back(
            {store->series(memory::make_key(s.name, s.labels)), memory::moment_of(at), s.value});
      }
    }
    store->append(std::move(points));
    flush(*store);
  }
  // The newest values, every minute from midnight on.
  static void feed(Usual& usual, int from_minute, int minutes, double factor) {
    for (int i = from_minute; i < from_minute + minutes; ++i) {
      const auto at = kDecember + Seconds{60 * i};
      usual.feed(at, samples(at, waiting_at(at) * factor));
    }
  }
  static metrics::BaselineRow row(const Usual& usual, std::string_view series) {
    for (auto& row : usual.rows()) {
      if (row.series == series) return row;
    }
    ADD_FAILURE() << "no row of " << series;
    return {};
  }
};

TEST_F(UsualTest, WhatTheMemoryHoldsIsUsual) {
  // Tuesday; the days before are a Monday, a weekend and the week before that.
  remember_days(10);
  Usual usual{baseline::Calendar()};
  auto from = reader();
  ASSERT_TRUE(usual.read_back(from, kDecember));
  feed(usual, 0, 15, 1);
  auto waiting = row(usual, "pending_jobs");
  EXPECT_EQ(waiting.state, "normal");
  ASSERT_TRUE(waiting.band);
  EXPECT_NEAR(waiting.band->centre, 41, 1);
  EXPECT_FALSE(waiting.alarm);
  feed(usual, 15, 15, 4);
  waiting = row(usual, "pending_jobs");
  EXPECT_EQ(waiting.state, "high");
  EXPECT_TRUE(waiting.alarm);
  for (const auto& judged : usual.judged()) {
    if (judged.watched->name == "pending_jobs") {
      EXPECT_THAT(judged.judged.sentence, HasSubstr("Mon 30 Nov"));
    }
  }
}

TEST_F(UsualTest, SharesAreOfTheirWhole) {
  remember_days(10);
  Usual usual{baseline::Calendar()};
  auto from = reader();
  ASSERT_TRUE(usual.read_back(from, kDecember));
  feed(usual, 0, 15, 1);
  const auto share = row(usual, "gpu_allocated_share");
  EXPECT_EQ(share.of, "a");
  EXPECT_EQ(share.value, 0.75);
  EXPECT_EQ(share.state, "normal");
}

TEST_F(UsualTest, WithoutAPastNobodyKnows) {
  Usual usual{baseline::Calendar()};
  feed(usual, 0, 30, 5);
  const auto waiting = row(usual, "pending_jobs");
  EXPECT_EQ(waiting.state, "no_baseline");
  EXPECT_FALSE(waiting.alarm);
  EXPECT_FALSE(waiting.band);
}

// A process that begins in a minute that another has stored already.
TEST_F(UsualTest, AMinuteThatIsFedTwiceCountsOnce) {
  remember_days(10);
  Usual usual{baseline::Calendar()};
  auto from = reader();
  ASSERT_TRUE(usual.read_back(from, kDecember + Seconds{-1}));
  const auto last = kDecember + Seconds{-300};
  usual.feed(last, samples(last, waiting_at(last)));
  usual.feed(last, samples(last, waiting_at(last)));
  feed(usual, 0, 15, 1);
  EXPECT_EQ(row(usual, "pending_jobs").state, "normal");
}

}  // namespace
}  // namespace schedlens::watch
