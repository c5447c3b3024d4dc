// SPDX-License-Identifier: Apache-2.0
#include "metrics/wait_tracker.h"

#include <gmock/gmock.h>

#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::metrics {
namespace {

using model::Snapshot;
using model::Workload;
using model::WorkloadState;
using testing::HasSubstr;

Workload job(std::uint32_t id, WorkloadState state, std::int64_t start) {
  Workload w;
  w.job_id = id;
  w.state = state;
  w.queues = {Symbol("train")};
  w.submitted = Timestamp{start - 500};
  w.eligible = Timestamp{start - 100};
  w.start = Timestamp{start};
  w.allocation.nodes = {{0}};
  return w;
}

Snapshot at(std::int64_t time, std::vector<Workload> workloads) {
  Snapshot s;
  s.time = {time};
  s.workloads = std::move(workloads);
  return s;
}

std::string page(const WaitTracker& tracker) {
  std::string text;
  Exposition out([&](std::string_view piece) { text += piece; });
  tracker.write(out);
  out.finish();
  return text;
}

TEST(WaitTracker, CountsEachStartOnceSinceEligibleAndSinceSubmit) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  for (int round = 1; round <= 3; ++round) {
    tracker.feed(at(10'000 + 30 * round, {job(1, WorkloadState::kRunning, 10'010)}));
  }
  tracker.feed(at(10'200, {job(1, WorkloadState::kCompleted, 10'010)}));
  auto text = page(tracker);
  EXPECT_THAT(text, HasSubstr("_sum{partition=\"train\",since=\"eligible\"} 100\n"));
  EXPECT_THAT(text, HasSubstr("_count{partition=\"train\",since=\"eligible\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("_sum{partition=\"train\",since=\"submit\"} 500\n"));
  EXPECT_THAT(text, HasSubstr("since=\"eligible\",le=\"60\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("since=\"eligible\",le=\"300\"} 1\n"));
}

// Pods have no job id, and schedulers start many within a second.
TEST(WaitTracker, PodsThatStartInOneSecondCountEach) {
  std::vector<Workload> pods;
  for (const char* uid : {"a", "b", "c"}) {
    auto w = job(0, WorkloadState::kRunning, 10'010);
    auto pod = std::make_shared<model::Pod>();
    pod->uid = uid;
    w.pod = pod;
    pods.push_back(std::move(w));
  }
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  tracker.feed(at(10'030, pods));
  tracker.feed(at(10'060, pods));
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 3\n"));
}

// It was deleted before anybody looked, and is told of for a while.
TEST(WaitTracker, APodThatLivedBetweenTwoSnapshotsCountsOnce) {
  auto w = job(0, WorkloadState::kRunning, 10'010);
  auto pod = std::make_shared<model::Pod>();
  pod->uid = "short";
  w.pod = pod;
  auto kubernetes = std::make_shared<model::Kubernetes>();
  kubernetes->gone_pods.push_back(w);
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  for (int round = 1; round <= 2; ++round) {
    auto s = at(10'000 + 30 * round, {});
    s.kubernetes = kubernetes;
    tracker.feed(s);
  }
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 1\n"));
}

TEST(WaitTracker, WhatRanBeforeTheFirstSnapshotDoesNotCount) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {job(1, WorkloadState::kRunning, 9'000)}));
  tracker.feed(at(10'030, {job(1, WorkloadState::kRunning, 9'000)}));
  EXPECT_EQ(page(tracker), "");
}

TEST(WaitTracker, JobsThatStartAndEndBetweenTwoSnapshotsCount) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  tracker.feed(at(10'030, {job(1, WorkloadState::kFailed, 10'010)}));
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 1\n"));
}

TEST(WaitTracker, JobsCancelledWhileWaitingNeverStarted) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  auto w = job(1, WorkloadState::kCancelled, 10'010);
  w.allocation.nodes.clear();
  tracker.feed(at(10'030, {w}));
  EXPECT_EQ(page(tracker), "");
}

TEST(WaitTracker, ForecastsAreNotStarts) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  tracker.feed(at(10'030, {job(1, WorkloadState::kPending, 10'020)}));
  EXPECT_EQ(page(tracker), "");
}

TEST(WaitTracker, RequeuedJobsStartAgain) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  tracker.feed(at(10'030, {job(1, WorkloadState::kRunning, 10'010)}));
  tracker.feed(at(10'060, {job(1, WorkloadState::kPending, 10'900)}));
  tracker.feed(at(10'090, {job(1, WorkloadState::kRunning, 10'080)}));
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 2\n"));
}

TEST(WaitTracker, UnknownTimesCountNowhere) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  auto w = job(1, WorkloadState::kRunning, 10'010);
  w.eligible.reset();
  tracker.feed(at(10'030, {w}));
  auto text = page(tracker);
  EXPECT_THAT(text, HasSubstr("_count{partition=\"train\",since=\"eligible\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("_count{partition=\"train\",since=\"submit\"} 1\n"));
}

TEST(WaitTracker, AReadThatFailsDoesNotCountJobsTwice) {
  WaitTracker tracker;
  tracker.feed(at(10'000, {}));
  tracker.feed(at(10'030, {job(1, WorkloadState::kRunning, 10'010)}));
  tracker.feed(at(10'060, {}));
  tracker.feed(at(10'090, {job(1, WorkloadState::kRunning, 10'010)}));
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 1\n"));
}

TEST(WaitTracker, ForgetsWhatIsLongGoneAndStaysWithinItsCapacity) {
  WaitTracker tracker(3);
  tracker.feed(at(10'000, {}));
  std::vector<Workload> many;
  for (std::uint32_t id = 1; id <= 5; ++id)
    many.push_back(job(id, WorkloadState::kRunning, 10'010));
  tracker.feed(at(10'030, many));
  EXPECT_EQ(tracker.remembered(), 3u);
  EXPECT_THAT(page(tracker), HasSubstr("_count{partition=\"train\",since=\"submit\"} 3\n"));
  tracker.feed(at(20'000, {}));
  EXPECT_EQ(tracker.remembered(), 0u);
}

}  // namespace
}  // namespace schedlens::metrics
