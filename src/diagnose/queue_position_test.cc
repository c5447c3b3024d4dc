// SPDX-License-Identifier: Apache-2.0
#include "diagnose/queue_position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using model::NodeId;
using model::WorkloadId;
using testing::Cluster;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using testing::says;

std::vector<WorkloadId> ids(std::vector<std::uint32_t> list) {
  std::vector<WorkloadId> out;
  for (auto i : list) out.push_back({i});
  return out;
}

// A job that waits for two whole nodes of which one is busy.
model::Workload& big_job(Cluster& c, std::string user = "carol") {
  auto& w = c.wait(user, 8);
  w.request.min_nodes = w.request.tasks.emplace(2);
  w.request.max_nodes = 2;
  w.request.cpus = 2;
  return w;
}

TEST(QueuePosition, AloneAndFittingTheSchedulerHasNotComeYet) {
  Cluster c;
  c.s.vitals.emplace();
  c.s.vitals->backfill.last_when = Timestamp{kNow - 12};
  c.wait("alice", 8).reason = Symbol("None");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.summary, HasSubstr("has not come to it yet (last cycle 12s ago)"));
  EXPECT_THAT(v.ahead, IsEmpty());
  EXPECT_THAT(v.reason_difference, HasSubstr("None only means"));
}

TEST(QueuePosition, BehindAJobThatWaitsForTheSameNodes) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  big_job(c);
  c.wait("alice", 1).reason = Symbol("Priority");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_EQ(v.ahead, ids({1}));
  EXPECT_THAT(v.summary, HasSubstr("job 2 of carol is ahead"));
}

TEST(QueuePosition, ShortEnoughToEndBeforeTheOneAheadStarts) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  auto& big = big_job(c);
  big.start = Timestamp{kNow + 3000};
  big.planned_nodes = {{0}, {1}};
  auto& w = c.wait("alice", 1);
  w.time_limit = Bound<Seconds>::of({1800});
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
  c.s.workloads.back().time_limit = Bound<Seconds>::of({7200});
  EXPECT_EQ(c.why().cause, RootCause::kPriority);
}

// It could start now but for one ahead of it; its own plan still closes nodes to those behind it.
TEST(QueuePosition, ThePlanOfOneBehindOthersCountsToo) {
  Cluster c(3);
  c.run("bob", {0}, 1, 8);
  auto& big = big_job(c);
  big.planned_nodes = {{0}, {1}};
  big.start = Timestamp{kNow + 3000};
  big.request.required_nodes = {{0}, {1}};
  auto& second = c.wait("dave", 8);
  second.start = Timestamp{kNow + 600};
  second.planned_nodes = {{2}};
  second.request.excluded_nodes = {{NodeId{2}}};
  second.time_limit = Bound<Seconds>::of({7200});
  auto& w = c.wait("alice", 1);
  w.time_limit = Bound<Seconds>::of({1200});
  w.request.excluded_nodes = {{NodeId{0}, NodeId{1}}};
  EXPECT_EQ(c.why(2).cause, RootCause::kPriority);
  EXPECT_EQ(c.why().cause, RootCause::kPriority);
  c.s.workloads.back().time_limit = Bound<Seconds>::of({300});
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
}

// Its partition of the lower tier has room, but the scheduler has planned it in the higher one,
// ahead of those who wait there.
TEST(QueuePosition, APlanInAPartitionOfAHigherTier) {
  const auto cause = [](Timestamp planned) {
    Cluster c(2);
    c.queue().nodes = {{0}};
    c.queue().priority_tier = 10;
    c.add_queue("all", {0, 1}).priority_tier = 5;
    c.run("bob", {0}, 1, 4);
    auto& both = c.wait("carol", 8);
    both.queues = {Symbol("main"), Symbol("all")};
    both.start = planned;
    both.planned_nodes = {{0}};
    c.wait("alice", 1);
    return c.why().cause;
  };
  EXPECT_EQ(cause({kNow + 7200}), RootCause::kNotConsidered);
  EXPECT_EQ(cause({kNow + 1800}), RootCause::kPriority);
}

// What keeps the room is not shown: one of several partitions is planned in each of them.
TEST(QueuePosition, ThePlanOfTheSchedulerForTheJobItself) {
  Cluster c(1);
  auto& w = c.wait("alice", 1);
  w.start = Timestamp{kNow + 30};
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
  c.s.workloads.back().start = Timestamp{kNow + 3600};
  const auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_THAT(v.summary, HasSubstr("the scheduler has planned it for later"));
}

TEST(QueuePosition, RoomThatThoseAheadTake) {
  Cluster c(2);
  c.wait("bob", 8);
  c.wait("carol", 8);
  c.wait("alice", 8);
  c.s.build_index();
  Explainer explainer(c.s);
  EXPECT_EQ(explainer.classify({0}), RootCause::kNotConsidered);
  EXPECT_EQ(explainer.classify({1}), RootCause::kNotConsidered);
  EXPECT_EQ(explainer.classify({2}), RootCause::kPriority);
  auto v = explainer.explain({2});
  EXPECT_EQ(v.ahead, ids({0, 1}));
  EXPECT_THAT(v.summary, HasSubstr("the room goes to those ahead of it (2 jobs)"));
}

TEST(QueuePosition, RoomIsCountedToTheLastGpu) {
  Cluster c(1);
  for (int i = 0; i < 3; ++i) c.wait("bob", 3);
  c.wait("alice", 2);
  c.s.build_index();
  Explainer explainer(c.s);
  EXPECT_EQ(explainer.classify({1}), RootCause::kNotConsidered);
  EXPECT_EQ(explainer.classify({2}), RootCause::kPriority);
  EXPECT_EQ(explainer.classify({3}), RootCause::kNotConsidered);  // 3 + 3 + 2
}

TEST(QueuePosition, ArrayTasksTakeRoomOneByOne) {
  Cluster c(2);
  auto& array = c.wait("bob", 8);
  array.array = model::ArrayPlace{array.job_id, {}, "1-5", 5, {}};
  c.wait("alice", 8);
  EXPECT_EQ(c.why().cause, RootCause::kPriority);
  c.s.workloads[0].array->waiting_count = 1;
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
}

TEST(QueuePosition, ThoseWhoCannotStartTakeNothing) {
  Cluster c(1);
  auto& held = c.wait("bob", 8);
  held.priority = 0;
  held.reason = Symbol("JobHeldUser");
  c.qos("tight").limits.push_back(testing::limit(model::LimitKind::kGrpJobs, "", 1, 1));
  c.wait("carol", 8).qos = Symbol("tight");
  c.wait("alice", 8);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.ahead, IsEmpty());
}

TEST(QueuePosition, OtherNodesAreNoCompetition) {
  Cluster c(4);
  c.add_queue("other", {2, 3});
  c.queue().nodes = {{0}, {1}};
  c.run("bob", {0, 1}, 1, 8);
  big_job(c);
  c.wait("alice", 1).queues = {Symbol("other")};
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.ahead, IsEmpty());
}

TEST(QueuePosition, PartitionTierComesBeforePriority) {
  Cluster c(2);
  c.add_queue("urgent", {0, 1}).priority_tier = 10;
  c.wait("alice", 8).priority = 99999;
  auto& w = c.wait("bob", 8);
  w.queues = {Symbol("urgent")};
  w.priority = 1;
  EXPECT_THAT(c.why().ahead, IsEmpty());
  EXPECT_EQ(c.why(0).ahead, ids({1}));
}

// A hundred jobs ahead that take nothing from it, and a depth that ends before it.
Cluster deep_queue() {
  Cluster c(10);
  c.add_queue("full", {0});
  c.run("bob", {0}, 64, 8);
  c.set("SchedulerParameters", "default_queue_depth=50,bf_max_job_test=80");
  for (int i = 0; i < 100; ++i) c.wait("carol", 1).queues = {Symbol("full")};
  c.wait("alice", 1);
  return c;
}

TEST(QueuePosition, BehindTheDepthOfBothSchedulers) {
  auto c = deep_queue();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.summary, HasSubstr("bf_max_job_test"));
}

TEST(QueuePosition, WithinTheDepthOfOneOfThem) {
  auto c = deep_queue();
  c.set("SchedulerParameters", "default_queue_depth=500,bf_max_job_test=80");
  EXPECT_THAT(c.why().summary, HasSubstr("has not come to it yet"));
  c.set("SchedulerParameters", "default_queue_depth=50,bf_max_job_test=500");
  EXPECT_THAT(c.why().summary, HasSubstr("has not come to it yet"));
}

TEST(QueuePosition, OneUsersSharesOfTheBackfillSearch) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  c.set("SchedulerParameters", "bf_max_job_user=2");
  big_job(c, "alice");
  c.wait("alice", 1);
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
  EXPECT_THAT(v.summary, HasSubstr("bf_max_job_user"));
}

TEST(QueuePosition, WithoutBackfillTheDepthOfTheMainSchedulerCounts) {
  auto c = deep_queue();
  c.set("SchedulerType", "sched/builtin");
  EXPECT_THAT(c.why().summary, HasSubstr("default_queue_depth"));
}

}  // namespace
}  // namespace schedlens::diagnose
