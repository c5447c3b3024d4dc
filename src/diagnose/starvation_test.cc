// SPDX-License-Identifier: Apache-2.0
#include "diagnose/starvation.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "diagnose/test_cluster.h"
#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::kNow;
using testing::limit;

// Starts of one-GPU jobs that waited so long each, the newest last.
void add_starts(Cluster& c, std::vector<std::int64_t> waits) {
  for (auto wait : waits) {
    auto& w = c.run("bob", {7}, 1, 0);
    w.request.gres_per_node.push_back({Symbol("gpu"), Symbol(), 1});
    w.start = Timestamp{kNow - 600};
    w.eligible = Timestamp{kNow - 600 - wait};
  }
}

model::Workload& waiting(Cluster& c, std::int64_t seconds, int gpus = 1) {
  auto& w = c.wait("alice", gpus);
  w.eligible = Timestamp{kNow - seconds};
  return w;
}

Starvation starving(Cluster& c) {
  c.s.build_index();
  ClassWaits waits;
  waits.observe(c.s);
  Explainer explainer(c.s);
  return find_starving(c.s, waits, explainer);
}

// All GPUs of all nodes but the last are in use.
Cluster full() {
  Cluster c;
  for (int i = 0; i < 8; ++i) c.run("carol", {i}, 8, 8);
  return c;
}

std::optional<PolicyFinding> policy(const Starvation& s, Policy p) {
  for (const auto& f : s.workloads.at(0).policies) {
    if (f.policy == p) return f;
  }
  return std::nullopt;
}

TEST(WaitClass, IsTheQueueAndTheSize) {
  Cluster c;
  EXPECT_EQ(class_name(wait_class(c.wait("alice", 1))), "1 GPU in main");
  EXPECT_EQ(class_name(wait_class(c.wait("alice", 2))), "2 GPUs in main");
  EXPECT_EQ(class_name(wait_class(c.wait("alice", 6))), "5 to 8 GPUs in main");
  EXPECT_EQ(class_name(wait_class(c.wait("alice"))), "1 CPU in main");
}

TEST(ClassWaits, CountsAStartOnce) {
  Cluster c;
  add_starts(c, {10});
  c.s.build_index();
  ClassWaits waits;
  waits.observe(c.s);
  waits.observe(c.s);
  EXPECT_EQ(waits.starts(wait_class(c.s.workloads[0])).size(), 1u);
}

TEST(Starvation, IsAWaitBeyondThatOfTheClass) {
  auto c = full();
  add_starts(c, {100, 200, 300, 400, 2000});
  waiting(c, 3900);
  EXPECT_TRUE(starving(c).workloads.empty()) << "nine of ten waited up to 2000 s";
  waiting(c, 4100);
  const auto s = starving(c);
  ASSERT_EQ(s.workloads.size(), 1u);
  EXPECT_EQ(s.workloads[0].waited, Seconds{4100});
  EXPECT_EQ(s.workloads[0].median, Seconds{300});
  EXPECT_EQ(s.workloads[0].p90, Seconds{2000});
}

TEST(Starvation, IsToBePassedByManyThatCameLater) {
  auto c = full();
  add_starts(c, {5000, 5000, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  waiting(c, 3000);
  EXPECT_TRUE(starving(c).workloads.empty());
  add_starts(c, {10});
  const auto s = starving(c);
  ASSERT_EQ(s.workloads.size(), 1u);
  EXPECT_EQ(s.workloads[0].overtaken_by, 10u);
}

TEST(Starvation, OfAClassWithFewStartsNothingIsSaid) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1});
  waiting(c, 86400);
  const auto s = starving(c);
  EXPECT_TRUE(s.workloads.empty());
  EXPECT_EQ(s.too_few_starts, 1u);
}

TEST(Starvation, WhatIsHeldDoesNotStarve) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  waiting(c, 86400).priority = 0;
  EXPECT_TRUE(starving(c).workloads.empty());
}

TEST(Starvation, WithoutAPolicyBehindItSaysSo) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  waiting(c, 86400);
  const auto s = starving(c);
  ASSERT_TRUE(policy(s, Policy::kNone));
  EXPECT_EQ(s.workloads[0].policies.size(), 1u);
}

TEST(Starvation, NamesTheBackfillWindow) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  waiting(c, 86400);
  for (auto& w : c.s.workloads) {
    if (w.state == model::WorkloadState::kRunning) w.end = Timestamp{kNow + 2 * 86400};
  }
  ASSERT_TRUE(policy(starving(c), Policy::kBackfillWindow));
  c.set("SchedulerParameters", "bf_window=4320");
  EXPECT_FALSE(policy(starving(c), Policy::kBackfillWindow));
}

TEST(Starvation, NamesTheFairShareOfThoseAhead) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  auto& ahead = c.wait("dave", 1);
  ahead.priority = 20000;
  model::PriorityFactors factors;
  factors.fair_share = 5000;
  factors.age = 100;
  ahead.factors = factors;
  ahead.eligible = Timestamp{kNow - 500};
  auto& w = waiting(c, 86400);
  factors.fair_share = 10;
  factors.age = 1000;
  w.factors = factors;
  c.set("PriorityWeightAge", "1000");
  const auto s = starving(c);
  ASSERT_EQ(s.workloads.size(), 1u);
  const auto share = policy(s, Policy::kFairShare);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->evidence,
            "fair share gives those ahead of it 4990 points more on average, 100 % of what they "
            "lead by");
  ASSERT_TRUE(policy(s, Policy::kAgeCap));
  c.set("PriorityWeightAge", "0");
  EXPECT_TRUE(policy(starving(c), Policy::kNoAge));
  c.set("PriorityWeightAge", "5000");
  const auto young = starving(c);
  EXPECT_FALSE(policy(young, Policy::kAgeCap));
  EXPECT_FALSE(policy(young, Policy::kNoAge));
}

TEST(Starvation, NamesTheArrayThrottle) {
  Cluster c;
  add_starts(c, {1, 1, 1, 1, 1});
  auto& running = c.run("alice", {0}, 1, 1);
  running.array = model::ArrayPlace{77, 1, "", 0, 1};
  auto& w = waiting(c, 86400);
  w.array = model::ArrayPlace{77, {}, "2-9", 8, 1};
  // So says Slurm 22.05 of tasks that are throttled.
  w.submitted = std::exchange(w.eligible, std::nullopt);
  const auto found = policy(starving(c), Policy::kArrayThrottle);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->evidence, "its array may run 1 tasks at a time");
}

TEST(Starvation, NamesTheLimit) {
  Cluster c;
  add_starts(c, {1, 1, 1, 1, 1});
  c.qos("normal").limits.push_back(limit(model::LimitKind::kGrpTres, "gres/gpu", 8, 8));
  waiting(c, 86400);
  const auto found = policy(starving(c), Policy::kLimit);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->evidence, "GrpTRES of QOS normal is reached");
}

TEST(Starvation, NamesQueueDepth) {
  Cluster c;
  add_starts(c, {1, 1, 1, 1, 1});
  c.set("SchedulerParameters", "default_queue_depth=1,bf_max_job_test=1");
  c.wait("dave", 1).eligible = Timestamp{kNow - 10};
  waiting(c, 86400);
  EXPECT_TRUE(policy(starving(c), Policy::kQueueDepth));
}

TEST(Starvation, NamesNoReserve) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  c.qos("normal").flags = {{"NoReserve"}};
  waiting(c, 86400);
  EXPECT_TRUE(policy(starving(c), Policy::kNoPlan));
}

TEST(Starvation, NamesPreemption) {
  auto c = full();
  add_starts(c, {1, 1, 1, 1, 1});
  auto& w = waiting(c, 86400);
  w.restarts = 3;
  w.preempted = Timestamp{kNow - 7200};
  const auto found = policy(starving(c), Policy::kPreemption);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->evidence, "it was preempted 2h0m ago, started 3 times before");
}

}  // namespace
}  // namespace schedlens::diagnose
