// SPDX-License-Identifier: Apache-2.0
#include "diagnose/job_preemption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/explain.h"
#include "diagnose/remedies.h"
#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using model::WorkloadId;
using testing::Cluster;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;

// One node, filled by a job of QOS low; one of QOS normal, which may preempt it, waits.
struct Filled {
  Cluster c{2};

  Filled() {
    c.set("PreemptType", "preempt/qos");
    c.set("PreemptMode", "REQUEUE");
    c.qos("low");
    c.qos("normal").preempts = {Symbol("low")};
    c.run("bob", {0}, 8, 8).qos = Symbol("low");
    c.run("carol", {1}, 8, 8);
    c.wait("alice", 8);
  }
  PreemptionRule rule() {
    c.s.build_index();
    return {c.s, c.s.workloads.back(), c.queue()};
  }
  Preemption found() { return preemption(c.s, rule(), {2}); }
  std::vector<std::string> details() { return c.why().details; }
};

TEST(JobPreemption, TheFewestWhoseEndGivesItItsNodes) {
  Filled f;
  const auto found = f.found();
  EXPECT_EQ(found.running, 1u);
  EXPECT_THAT(found.ends, ElementsAre(WorkloadId{0}));
  EXPECT_FALSE(found.from);
  EXPECT_THAT(f.details(), Contains(HasSubstr("the end of job 1 would give it its nodes, and that "
                                              "one may be preempted at once")));
  EXPECT_THAT(f.c.why().unsure, IsEmpty());
}

TEST(JobPreemption, NotBeforeTheyHaveRunForTheirTime) {
  Filled f;
  f.c.qos("low").preempt_exempt_time = Seconds{1200};
  EXPECT_EQ(f.found().from, Timestamp{kNow + 600});
  EXPECT_THAT(f.details(), Contains(HasSubstr("may be preempted from ")));
  f.c.qos("low").preempt_exempt_time = Seconds{60};
  EXPECT_FALSE(f.found().from);
}

TEST(JobPreemption, EvenTheEndOfAllMayNotHelp) {
  Filled f;
  f.c.run("bob", {0}, 1).qos = Symbol("normal");
  f.c.s.workloads[2].request.sharing = model::Sharing::kWholeNode;
  std::swap(f.c.s.workloads[2], f.c.s.workloads[3]);
  const auto details = f.details();
  EXPECT_THAT(details, Contains(HasSubstr("preemption cannot help: it may preempt jobs of QOS low, "
                                          "and even the end of all 1 that run would not")));
}

TEST(JobPreemption, NoneOfThemRuns) {
  Filled f;
  f.c.s.workloads[0].qos = Symbol("normal");
  EXPECT_EQ(f.found().running, 0u);
  EXPECT_THAT(f.details(), Contains("it may preempt jobs of QOS low, and none runs"));
}

TEST(JobPreemption, WhomItMayPreempt) {
  Filled f;
  f.c.qos("low").preempt_mode = "OFF";  // of its own: the scheduler's
  EXPECT_EQ(f.found().running, 1u);
  f.c.set("PreemptMode", "OFF");
  EXPECT_EQ(f.found().running, 0u);
  f.c.qos("low").preempt_mode = "CANCEL";
  EXPECT_EQ(f.found().running, 1u);
  f.c.s.workloads[0].state = model::WorkloadState::kSuspended;
  EXPECT_EQ(f.found().running, 0u);
}

TEST(JobPreemption, ByTheTierOfThePartition) {
  Filled f;
  f.c.set("PreemptType", "preempt/partition_prio");
  EXPECT_TRUE(f.rule().nobody());
  f.c.add_queue("idle", {0, 1}).priority_tier = 0;
  f.c.s.workloads[1].queues = {Symbol("idle")};
  EXPECT_EQ(f.rule().whom(), "jobs of partitions with a lower tier than 1");
  EXPECT_THAT(f.found().ends, ElementsAre(WorkloadId{1}));
  f.c.queue(1).preempt_mode = "OFF";
  EXPECT_EQ(f.found().running, 0u);
}

TEST(JobPreemption, WhatIsNotFollowedIsNotClaimed) {
  const auto unsure = [](const std::function<void(Cluster&)>& change) {
    Filled f;
    change(f.c);
    EXPECT_TRUE(f.rule().not_followed());
    return f.c.why().unsure;
  };
  EXPECT_THAT(unsure([](Cluster& c) { c.set("PreemptMode", "REQUEUE,WITHIN"); }),
              Contains(HasSubstr("by preempting others is not tested")));
  EXPECT_THAT(unsure([](Cluster& c) { c.qos("normal").preempts.reset(); }),
              Contains(HasSubstr("by preempting others is not tested")));
  EXPECT_THAT(unsure([](Cluster& c) { c.set("PreemptMode", "SUSPEND,GANG"); }),
              Contains(HasSubstr("by preempting jobs of QOS low is not tested")));
}

// Both hold as much; the one that may be preempted is ended.
TEST(JobPreemption, ThoseItMayPreemptAreEndedFirst) {
  Filled f;
  std::swap(f.c.s.workloads[0].qos, f.c.s.workloads[1].qos);
  const auto verdict = f.c.why();
  Explainer explainer(f.c.s);
  const auto remedies = find_remedies(f.c.s, explainer, verdict);
  ASSERT_FALSE(remedies.empty());
  EXPECT_EQ(remedies.front().command, "scontrol requeuehold 2");
}

}  // namespace
}  // namespace schedlens::diagnose
