// SPDX-License-Identifier: Apache-2.0
#include "diagnose/start_forecast.h"

#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::gib;
using testing::kNow;
using testing::limit;

model::WorkloadId last(const Cluster& c) {
  return {static_cast<std::uint32_t>(c.s.workloads.size() - 1)};
}

// Seconds from now to the latest start; -1 where there is none.
std::int64_t latest(Cluster& c, model::WorkloadId id, const RunTimes& observed = {}) {
  c.s.build_index();
  StartForecasts forecasts(c.s, observed);
  const auto* f = forecasts.find(id);
  if (!f || !f->latest) return -1;
  return f->latest->unix_seconds - kNow;
}

model::Workload& running(Cluster& c, std::vector<int> on, int gpus, std::int64_t for_seconds,
                         std::int64_t limit_seconds) {
  auto& w = c.run("bob", std::move(on), 8, gpus);
  w.start = Timestamp{kNow - for_seconds};
  w.time_limit = Bound<Seconds>::of({limit_seconds});
  return w;
}

// Jobs of one kind that ended after a part of their limit of 1000 seconds each.
RunTimes ended_after(const std::vector<std::int64_t>& seconds) {
  Cluster c(1);
  for (auto ran : seconds) {
    auto& w = c.run("bob", {0}, 1);
    w.state = model::WorkloadState::kCompleted;
    w.start = Timestamp{kNow - 5000};
    w.end = *w.start + Seconds{ran};
    w.time_limit = Bound<Seconds>::of({1000});
  }
  c.s.build_index();
  RunTimes times;
  times.observe(c.s);
  return times;
}

TEST(StartForecast, WithRoomItStartsAtOnce) {
  Cluster c(1);
  c.wait("alice", 8);
  EXPECT_EQ(latest(c, last(c)), 0);
}

TEST(StartForecast, WithoutObservedRunTimesOnlyTheLatestIsTold) {
  Cluster c(1);
  running(c, {0}, 8, 600, 3600);
  c.wait("alice", 1);
  c.s.build_index();
  StartForecasts forecasts(c.s, {});
  const auto* f = forecasts.find(last(c));
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->expected);
  EXPECT_FALSE(f->earliest);
  EXPECT_EQ(f->latest, Timestamp{kNow + 3000});
  EXPECT_EQ(f->unknown, "");
}

TEST(StartForecast, WaitsForAsManyEndsAsItNeeds) {
  Cluster c(1);
  running(c, {0}, 3, 0, 1000);
  running(c, {0}, 3, 0, 2000);
  running(c, {0}, 2, 0, 3000);
  c.wait("alice", 4);
  EXPECT_EQ(latest(c, last(c)), 2000);
}

TEST(StartForecast, SeveralNodesMustBeFreeTogether) {
  Cluster c(3);
  running(c, {0}, 8, 0, 1000);
  running(c, {1}, 8, 0, 2000);
  running(c, {2}, 8, 0, 3000);
  auto& w = c.wait("alice", 8);
  w.request.min_nodes = 2;
  w.request.max_nodes = 2;
  w.request.tasks = 2;
  w.request.cpus = 2;
  EXPECT_EQ(latest(c, last(c)), 2000);
}

TEST(StartForecast, ANodeThatIsAskedForNeedNotBeTheOnlyOne) {
  Cluster c(2);
  running(c, {1}, 8, 0, 1000);
  auto& w = c.wait("alice", 8);
  w.request.required_nodes = {{0}};
  w.request.max_nodes = 2;
  w.request.gres_per_node.clear();
  w.request.gres_per_job.push_back({Symbol("gpu"), Symbol(), 16});
  EXPECT_EQ(latest(c, last(c)), 1000) << "its other GPUs are on the node that it does not name";
}

TEST(StartForecast, ThoseAheadTakeTheRoomFirst) {
  Cluster c(1);
  running(c, {0}, 8, 0, 1000);
  c.wait("alice", 8).time_limit = Bound<Seconds>::of({500});
  c.wait("carol", 8);
  EXPECT_EQ(latest(c, last(c)), 1500);
}

TEST(StartForecast, AShortOneIsDoneBeforeTheRoomIsNeeded) {
  Cluster c(1);
  running(c, {0}, 4, 0, 1000);
  c.wait("alice", 8);
  c.wait("carol", 4).time_limit = Bound<Seconds>::of({900});
  EXPECT_EQ(latest(c, last(c)), 0);
  c.s.workloads[last(c).index].time_limit = Bound<Seconds>::of({1100});
  EXPECT_EQ(latest(c, last(c)), 1000 + 3600) << "behind the one ahead, which runs an hour";
}

TEST(StartForecast, EachTaskOfAnArrayTakesRoom) {
  Cluster c(1);
  auto& array = c.wait("alice", 8);
  array.array = model::ArrayPlace{array.job_id, {}, "1-3", 3, {}};
  array.time_limit = Bound<Seconds>::of({100});
  c.wait("carol", 8);
  EXPECT_EQ(latest(c, last(c)), 300);
}

TEST(StartForecast, ReservationsOfOthersAreWaitedFor) {
  Cluster c(1);
  c.reserve("maint", {0}, 1800, 5400);
  c.wait("alice", 1);
  EXPECT_EQ(latest(c, last(c)), 5400);
  c.s.workloads[last(c).index].time_limit = Bound<Seconds>::of({1800});
  EXPECT_EQ(latest(c, last(c)), 0);
}

TEST(StartForecast, ABeginTimeIsWaitedFor) {
  Cluster c(1);
  c.wait("alice", 1).eligible = Timestamp{kNow + 700};
  EXPECT_EQ(latest(c, last(c)), 700);
}

TEST(StartForecast, ALimitGivesWayWhenThoseWhoFillItEnd) {
  Cluster c(8);
  auto& q = c.qos("normal");
  q.limits.push_back(limit(model::LimitKind::kGrpTres, "gres/gpu", 8, 8));
  running(c, {0}, 6, 0, 2000);
  running(c, {1}, 2, 0, 1000);
  c.wait("alice", 2).time_limit = Bound<Seconds>::of({300});
  c.wait("carol", 2);
  EXPECT_EQ(latest(c, {2}), 1000);
  EXPECT_EQ(latest(c, {3}), 1300) << "after alice's, in whose place it is";
}

TEST(StartForecast, ARequestAboveALimitHasNone) {
  Cluster c(8);
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpTres, "gres/gpu", 4, 0));
  c.wait("alice", 8);
  c.s.build_index();
  StartForecasts forecasts(c.s, {});
  const auto* f = forecasts.find(last(c));
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->latest);
  EXPECT_EQ(f->unknown, "its request alone exceeds a limit");
}

TEST(StartForecast, WhatRunsWithoutEndLeavesNoForecast) {
  Cluster c(1);
  c.run("bob", {0}, 8, 8).time_limit = Bound<Seconds>::unlimited();
  c.wait("alice", 1);
  c.s.build_index();
  StartForecasts forecasts(c.s, {});
  EXPECT_EQ(forecasts.find(last(c))->unknown,
            "what it needs is held by work without an end in sight");
}

TEST(StartForecast, ObservedRunTimesGiveARange) {
  Cluster c(1);
  running(c, {0}, 8, 0, 1000);
  c.wait("alice", 8);
  c.s.build_index();
  const auto times = ended_after({100, 100, 200, 200, 300, 300, 400, 400, 500, 900});
  StartForecasts forecasts(c.s, times);
  const auto* f = forecasts.find(last(c));
  ASSERT_TRUE(f && f->earliest && f->expected && f->latest);
  EXPECT_EQ(f->observed, 10u);
  EXPECT_GE(*f->earliest, Timestamp{kNow + 100});
  EXPECT_LE(*f->earliest, Timestamp{kNow + 200});
  EXPECT_GE(*f->expected, Timestamp{kNow + 200});
  EXPECT_LE(*f->expected, Timestamp{kNow + 400});
  EXPECT_GE(*f->latest, Timestamp{kNow + 400});
  EXPECT_LE(*f->latest, Timestamp{kNow + 900});
}

TEST(StartForecast, WhatHasRunLongIsComparedWithWhatRanLonger) {
  Cluster c(1);
  running(c, {0}, 8, 450, 1000);
  c.wait("alice", 8);
  c.s.build_index();
  const auto times = ended_after({100, 100, 100, 100, 100, 500, 500, 500, 500, 500});
  StartForecasts forecasts(c.s, times);
  EXPECT_EQ(forecasts.find(last(c))->expected, Timestamp{kNow + 50});
}

TEST(StartForecast, EqualSnapshotsGiveEqualForecasts) {
  Cluster c(2);
  for (int i = 0; i < 6; ++i) running(c, {i % 2}, 2, 10 * i, 1000);
  for (int i = 0; i < 6; ++i) c.wait("alice", 1 + i);
  c.s.build_index();
  const auto times = ended_after({10, 50, 100, 400, 700, 990});
  StartForecasts a(c.s, times), b(c.s, times);
  for (const auto& [id, f] : a.all()) {
    EXPECT_EQ(f.expected, b.find(id)->expected);
    EXPECT_LE(f.earliest, f.expected);
    EXPECT_LE(f.expected, f.latest);
  }
}

TEST(RunTimes, CountsWhatEndedOnce) {
  Cluster c(1);
  auto& w = c.run("bob", {0}, 1);
  w.state = model::WorkloadState::kCompleted;
  w.end = *w.start + Seconds{60};
  c.s.build_index();
  RunTimes times;
  times.observe(c.s);
  times.observe(c.s);
  EXPECT_EQ(times.size(), 1u);
}

TEST(RunTimes, WithoutAnyKnowsNothing) {
  Cluster c(1);
  const auto& w = c.wait("alice");
  EXPECT_FALSE(RunTimes().draw(w, {1000}, {0}, 0.5));
}

}  // namespace
}  // namespace schedlens::diagnose
