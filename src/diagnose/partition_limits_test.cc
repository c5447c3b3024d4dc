// SPDX-License-Identifier: Apache-2.0
#include "diagnose/partition_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::says;
using ::testing::SizeIs;

TEST(PartitionLimits, TimeLimitLongerThanAllowed) {
  Cluster c;
  c.queue().max_time = Bound<Seconds>::of({1800});
  c.wait();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].name, "MaxTime");
  EXPECT_EQ(v.limits[0].limit, 30);
  EXPECT_EQ(v.limits[0].requested, 60);
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
}

TEST(PartitionLimits, UnlimitedTimeIsLongerThanAnyLimit) {
  Cluster c;
  c.queue().max_time = Bound<Seconds>::of({1800});
  c.wait().time_limit = Bound<Seconds>::unlimited();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].name, "MaxTime");
  EXPECT_THAT(v.summary, HasSubstr("the job alone asks for unlimited time"));
  c.queue().max_time = Bound<Seconds>::unlimited();
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(PartitionLimits, LeastTimeIsWhatBackfillTests) {
  Cluster c;
  c.queue().max_time = Bound<Seconds>::of({1800});
  c.wait().time_min = Seconds{1200};
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(PartitionLimits, QosFlagSwitchesTheTimeTestOff) {
  Cluster c;
  c.queue().max_time = Bound<Seconds>::of({1800});
  c.qos("normal").flags->push_back("PartitionTimeLimit");
  c.wait();
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(PartitionLimits, MoreNodesThanOneJobMayHave) {
  Cluster c;
  c.queue().max_nodes = Bound<std::uint32_t>::of(2);
  auto& w = c.wait();
  w.request.min_nodes = 3;
  w.request.max_nodes = 3;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].name, "MaxNodes");
  EXPECT_EQ(v.limits[0].requested, 3);
}

// -N 1-3, where two are allowed: Slurm does not make it two.
TEST(PartitionLimits, TheMostNodesOfARangeCount) {
  Cluster c;
  c.queue().max_nodes = Bound<std::uint32_t>::of(2);
  auto& w = c.wait();
  w.request.max_nodes = 3;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_EQ(v.limits.size(), 1u);
  EXPECT_EQ(v.limits[0].name, "MaxNodes");
  EXPECT_EQ(v.limits[0].requested, 3);
  c.s.workloads.back().request.max_nodes = 2;
  EXPECT_TRUE(c.why().limits.empty());
}

TEST(PartitionLimits, FewerNodesThanAJobMustHave) {
  Cluster c;
  c.queue().min_nodes = 2;
  c.wait();
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].name, "MinNodes");
}

TEST(PartitionLimits, MemoryPerNodeAndPerCpu) {
  Cluster c;
  c.queue().max_memory_per_node = Bound<Bytes>::of(gib(100));
  c.wait().request.memory = gib(200);
  EXPECT_EQ(c.why().limits.at(0).name, "MaxMemPerNode");
  c.queue().max_memory_per_node = {};
  c.queue().max_memory_per_cpu = Bound<Bytes>::of(gib(4));
  EXPECT_EQ(c.why().limits.at(0).name, "MaxMemPerCPU");
}

TEST(PartitionLimits, TheClustersMemoryBoundCountsWhereThePartitionHasNone) {
  Cluster c;
  c.set("MaxMemPerNode", "102400");
  c.wait().request.memory = gib(200);
  EXPECT_EQ(c.why().limits.at(0).name, "MaxMemPerNode");
}

TEST(PartitionLimits, MoreCpusOfANodeThanThePartitionMayUse) {
  Cluster c;
  c.queue().max_cpus_per_node = Bound<std::uint32_t>::of(16);
  auto& w = c.wait();
  w.request.cpus = 32;
  w.request.cpus_per_task = 32;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_EQ(v.limits.at(0).name, "MaxCPUsPerNode");
}

TEST(PartitionLimits, PartitionsThatStartNothing) {
  Cluster c;
  c.queue().state = model::QueueState::kDown;
  c.wait();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_THAT(v.summary, HasSubstr("main starts no jobs (state DOWN)"));
  c.queue().state = model::QueueState::kInactive;
  EXPECT_THAT(c.why().summary, HasSubstr("INACTIVE"));
}

TEST(PartitionLimits, AccountsThatAreNotAdmitted) {
  Cluster c;
  c.queue().allow_accounts = {false, {Symbol("vision")}};
  auto& w = c.wait();
  w.reason = Symbol("None");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(v.summary, HasSubstr("does not admit account llm (AllowAccounts=vision)"));
  EXPECT_TRUE(v.fit.fits_now);
  c.queue().allow_accounts = {};
  c.queue().deny_accounts = {Symbol("llm")};
  EXPECT_THAT(c.why().summary, HasSubstr("DenyAccounts"));
}

TEST(PartitionLimits, QosThatIsNotAdmitted) {
  Cluster c;
  c.queue().allow_qos = {false, {Symbol("high")}};
  c.wait();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(v.summary, HasSubstr("AllowQos=high"));
  c.queue().allow_qos = {};
  c.queue().deny_qos = {Symbol("normal")};
  EXPECT_THAT(c.why().summary, HasSubstr("DenyQos"));
}

TEST(PartitionLimits, GroupMembershipIsNotKnown) {
  Cluster c;
  c.queue().allow_groups = {false, {Symbol("staff")}};
  auto& w = c.wait();
  auto v = c.why();
  EXPECT_NE(v.cause, RootCause::kConstraint);
  EXPECT_TRUE(says(v.unsure, "admits only some groups"));
  w.reason = Symbol("AccountNotAllowed");
  v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(v.summary, HasSubstr("staff"));
}

TEST(PartitionLimits, RootOnlyAndReservationsOnly) {
  Cluster c;
  c.queue().root_only = true;
  c.wait();
  EXPECT_THAT(c.why().summary, HasSubstr("root only"));
  c.queue().root_only = false;
  c.queue().requires_reservation = true;
  EXPECT_THAT(c.why().summary, HasSubstr("only jobs with a reservation"));
}

TEST(PartitionLimits, TheBestOfSeveralPartitionsCounts) {
  Cluster c;
  c.add_queue("dev", {6, 7}).max_time = Bound<Seconds>::of({60});
  for (int i = 0; i < 8; ++i) c.run("bob", {i}, 1, 8);
  auto& w = c.wait("alice", 1);
  w.queues = {Symbol("dev"), Symbol("main")};
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_TRUE(says(v.details, "this is about main"));
}

TEST(PartitionLimits, APartitionWithRoomWins) {
  Cluster c;
  c.add_queue("dev", {7});
  for (int i = 0; i < 7; ++i) c.run("bob", {i}, 1, 8);
  c.queue().nodes.pop_back();
  auto& w = c.wait("alice", 8);
  w.queues = {Symbol("main"), Symbol("dev")};
  auto v = c.why();
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_EQ(v.fit.nodes, std::vector<model::NodeId>{{7}});
  EXPECT_EQ(v.cause, RootCause::kNotConsidered);
}

TEST(PartitionLimits, AnotherPartitionThatWouldTakeItIsNamed) {
  Cluster c;
  c.add_queue("idle", {7});
  c.queue().nodes.pop_back();
  for (int i = 0; i < 7; ++i) c.run("bob", {i}, 1, 8);
  c.wait("alice", 8);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_TRUE(says(v.details, "it would fit now in partition idle"));
}

TEST(PartitionLimits, NoKnownPartition) {
  Cluster c;
  c.wait().queues = {Symbol("gone")};
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kUnknown);
  EXPECT_THAT(v.summary, HasSubstr("none of its partitions is known"));
}

}  // namespace
}  // namespace schedlens::diagnose
