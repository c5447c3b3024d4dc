// SPDX-License-Identifier: Apache-2.0
#include "metrics/forecast_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/observed.h"
#include "diagnose/test_cluster.h"

namespace schedlens::metrics {
namespace {

using diagnose::testing::Cluster;
using diagnose::testing::kNow;
using testing::HasSubstr;

// A full node whose job has run 600 of 3600 seconds, and one that waits for it. All that ended
// before ran half of its limit.
struct Watched {
  Cluster c{1};
  diagnose::Observed observed;
  ForecastBook book;

  Watched() {
    for (int i = 0; i < 10; ++i) {
      auto& w = c.run("bob", {}, 1);
      w.state = model::WorkloadState::kCompleted;
      w.allocation.totals.set(model::names::kCpu, 1);
      w.start = Timestamp{kNow - 4000 + i};
      w.end = *w.start + Seconds{1800};
    }
    c.run("bob", {0}, 8, 8);
    c.wait("alice", 8).start = Timestamp{kNow + 3000};
    feed();
  }
  void feed() {
    c.s.build_index();
    observed.observe(c.s);
    book.feed(c.s, observed);
  }
  model::Workload& waiting() { return c.s.workloads[11]; }
  void start(std::int64_t after) {
    waiting().state = model::WorkloadState::kRunning;
    waiting().start = Timestamp{kNow + after};
    waiting().allocation.nodes = {{0}};
    c.s.time = {kNow + after + 5};
    feed();
  }
  std::string page() const {
    std::string text;
    Exposition out([&](std::string_view piece) { text += piece; });
    book.write(out);
    out.finish();
    return text;
  }
};

TEST(ForecastBook, KeepsTheForecastOfWhatWaits) {
  Watched w;
  const auto forecast = w.book.forecast(w.waiting());
  ASSERT_TRUE(forecast);
  EXPECT_EQ(forecast->expected, Timestamp{kNow + 1200});
  EXPECT_THAT(w.page(), HasSubstr("schedlens_start_forecasts_open 1\n"));
  EXPECT_THAT(w.page(), HasSubstr("schedlens_run_times_observed_total 10\n"));
  EXPECT_EQ(w.book.ours().count, 0u);
  EXPECT_FALSE(w.book.ours().median_error);
}

TEST(ForecastBook, HoldsTheFirstForecastAgainstTheStart) {
  Watched w;
  w.c.s.time = {kNow + 100};
  w.feed();
  w.start(1200);
  EXPECT_EQ(w.book.ours().count, 1u);
  EXPECT_EQ(w.book.ours().median_error, Seconds{0});
  EXPECT_EQ(w.book.ours().within_range, 1u);
  EXPECT_EQ(w.book.schedulers().median_error, Seconds{1800});
  const auto page = w.page();
  EXPECT_THAT(page, HasSubstr(R"(schedlens_start_forecast_error_seconds_count{by="schedlens"} 1)"));
  EXPECT_THAT(page,
              HasSubstr(R"(schedlens_start_forecast_error_seconds_sum{by="scheduler"} 1800)"));
  EXPECT_THAT(page,
              HasSubstr(R"(schedlens_start_forecasts_scored_total{result="within_range"} 1)"));
  EXPECT_THAT(page, HasSubstr("schedlens_start_forecasts_open 0\n"));
}

TEST(ForecastBook, CountsAStartOutOfItsRange) {
  Watched w;
  w.start(200);
  EXPECT_EQ(w.book.ours().within_range, 0u);
  EXPECT_THAT(w.page(), HasSubstr(R"(schedlens_start_forecasts_scored_total{result="earlier"} 1)"));
}

TEST(ForecastBook, ForgetsWhatIsCancelled) {
  Watched w;
  w.waiting().state = model::WorkloadState::kCancelled;
  w.feed();
  w.c.s.workloads.resize(11);
  w.feed();
  EXPECT_EQ(w.book.ours().count, 0u);
  EXPECT_THAT(w.page(), HasSubstr("schedlens_start_forecasts_open 0\n"));
}

}  // namespace
}  // namespace schedlens::metrics
