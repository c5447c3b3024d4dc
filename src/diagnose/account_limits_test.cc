// SPDX-License-Identifier: Apache-2.0
#include "diagnose/account_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using testing::limit;
using ::testing::SizeIs;
using enum model::LimitKind;

constexpr std::string_view kGpu = "gres/gpu";

TEST(AccountLimits, QosGroupGpusWithTheUsersWhoFillThem) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, kGpu, 8, 6));
  c.run("bob", {0}, 4, 4);
  c.run("carol", {1}, 2, 2);
  c.wait("alice", 4);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  const auto& l = v.limits[0];
  EXPECT_EQ(l.holder, "QOS normal");
  EXPECT_EQ(l.name, "GrpTRES");
  EXPECT_EQ(l.resource.view(), kGpu);
  EXPECT_EQ(l.limit, 8);
  EXPECT_EQ(l.used, 6);
  EXPECT_EQ(l.requested, 4);
  EXPECT_FALSE(l.request_alone_exceeds);
  ASSERT_THAT(l.filled_by, SizeIs(2));
  EXPECT_EQ(l.filled_by[0].holder, "user bob");
  EXPECT_EQ(l.filled_by[0].amount, 4);
  EXPECT_EQ(l.filled_by[1].amount, 2);
  EXPECT_THAT(v.summary, HasSubstr("QOS normal allows 8 gres/gpu (GrpTRES), 6 gres/gpu in use"));
  EXPECT_TRUE(v.fit.fits_now);
}

TEST(AccountLimits, ExactlyFullIsStillAllowed) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, kGpu, 8, 4));
  c.wait("alice", 4);
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, JobOverTheBoundNeverStarts) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kMaxTresPerJob, kGpu, 4));
  c.wait("alice", 6);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
  EXPECT_THAT(v.summary, HasSubstr("waiting does not help"));
}

TEST(AccountLimits, GroupBoundSmallerThanTheJobAloneNeverLetsItStart) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, kGpu, 4, 0));
  c.wait("alice", 8);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
}

TEST(AccountLimits, PerUserUseAndTheBoundOfEveryUser) {
  Cluster c;
  auto& q = c.qos("normal");
  q.each_user.push_back(limit(kMaxTresPerUser, kGpu, 8));
  q.users.push_back({Symbol("alice"), {limit(kMaxTresPerUser, kGpu, {}, 6)}});
  c.run("alice", {0}, 1, 6);
  c.run("bob", {1}, 1, 8);
  c.wait("alice", 4);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "user alice in QOS normal");
  EXPECT_EQ(v.limits[0].used, 6);
  ASSERT_THAT(v.limits[0].filled_by, SizeIs(1));
  EXPECT_EQ(v.limits[0].filled_by[0].holder, "job 1");
  // Somebody without use has the whole bound to himself.
  c.wait("dave", 8);
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, OwnUserRecordBoundsBeforeEverybodys) {
  Cluster c;
  auto& q = c.qos("normal");
  q.each_user.push_back(limit(kMaxTresPerUser, kGpu, 2));
  q.users.push_back({Symbol("alice"), {limit(kMaxTresPerUser, kGpu, 100, 0)}});
  c.wait("alice", 4);
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, PerAccount) {
  Cluster c;
  auto& q = c.qos("normal");
  q.accounts.push_back({Symbol("llm"), {limit(kMaxTresPerAccount, "cpu", 8, 8)}});
  c.wait("alice");
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "account llm in QOS normal");
  EXPECT_EQ(v.limits[0].name, "MaxTRESPA");
}

TEST(AccountLimits, RunningJobsAreCountedWhereTheSchedulerDoesNotSay) {
  Cluster c;
  c.qos("normal").each_user.push_back(limit(kMaxJobsPerUser, "", 2));
  c.run("alice", {0}, 1);
  c.run("alice", {1}, 1);
  c.run("bob", {2}, 1);
  c.wait("alice");
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].used, 2);
  EXPECT_EQ(v.limits[0].unit, "jobs");
  EXPECT_THAT(v.limits[0].filled_by, SizeIs(2));
}

// A value in a QOS, however wide, takes the place of the association's for the same resource.
TEST(AccountLimits, WideQosLimitLiftsAFullAccountLimit) {
  Cluster c;
  c.association("llm").limits.push_back(limit(kGrpTres, kGpu, 8, 8));
  c.association("llm", "alice");
  c.wait("alice", 1);
  EXPECT_THAT(c.why().limits, SizeIs(1));
  c.qos("normal").limits.push_back(limit(kGrpTres, kGpu, 100, 8));
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, QosLimitOnCpusDoesNotHideTheAccountsGpus) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "cpu", 1000, 8));
  c.association("llm").limits.push_back(limit(kGrpTres, kGpu, 8, 8));
  c.wait("alice", 1);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "account llm");
}

TEST(AccountLimits, MaxJobsIsHiddenByMaxJobsPerUserOfTheQos) {
  Cluster c;
  c.association("llm", "alice").limits.push_back(limit(kMaxJobs, "", 1, 1));
  c.wait("alice");
  EXPECT_THAT(c.why().limits, SizeIs(1));
  c.qos("normal").each_user.push_back(limit(kMaxJobsPerUser, "", 50));
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, MaxJobsIsHiddenByMaxJobsPerAccountToo) {
  Cluster c;
  c.association("llm", "alice").limits.push_back(limit(kMaxJobs, "", 1, 1));
  c.qos("normal").each_account.push_back(limit(kMaxJobsPerAccount, "", 50));
  c.wait("alice");
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, PartitionQosComesBeforeTheJobs) {
  Cluster c;
  c.qos("part").limits.push_back(limit(kGrpTres, kGpu, 8, 8));
  c.qos("normal").limits.push_back(limit(kGrpTres, kGpu, 100, 8));
  c.queue().qos = Symbol("part");
  c.wait("alice", 1);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "QOS part");
  // The flag turns the order round, and the job's wide bound hides the partition's.
  c.qos("normal").flags->push_back("OverPartQOS");
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, GroupLimitsCountAtEveryParent) {
  Cluster c;
  auto& root = c.association("research");
  root.limits.push_back(limit(kGrpTres, kGpu, 8, 8));
  auto root_id = root.id;
  c.association("llm").parent_id = root_id;
  c.association("llm", "alice");
  c.wait("alice", 1);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "account research");
}

TEST(AccountLimits, MaximumsCountOnlyAtTheUsersOwn) {
  Cluster c;
  c.association("llm").limits.push_back(limit(kMaxTresPerJob, kGpu, 1));
  c.association("llm", "alice");
  c.wait("alice", 4);
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, WallTimeOfOneJob) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kMaxWallPerJob, "", 30));
  c.wait("alice");
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].unit, "minutes");
  EXPECT_EQ(v.limits[0].requested, 60);
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
}

TEST(AccountLimits, UnlimitedTimeIsMoreThanAnyLimitOnTime) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kMaxWallPerJob, "", 30));
  c.qos("normal").limits.push_back(limit(kGrpTresRunMins, kGpu, 500, 400));
  c.wait("alice", 2).time_limit = Bound<Seconds>::unlimited();
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(2));
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
  EXPECT_TRUE(v.limits[1].request_alone_exceeds);
}

TEST(AccountLimits, RunMinutesShrinkWithTheTimeLimit) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTresRunMins, kGpu, 500, 400));
  c.wait("alice", 2);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].requested, 120);
  c.s.workloads.back().time_limit = Bound<Seconds>::of({3000});
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, PastMinutesCountDifferentlyWithSafe) {
  Cluster c;
  auto& q = c.qos("normal");
  q.limits.push_back(limit(kGrpTresMins, kGpu, 1000, 900));
  q.limits.push_back(limit(kGrpTresRunMins, kGpu, {}, 50));
  c.wait("alice", 2);
  // Without safe a job may start as long as something is left.
  EXPECT_THAT(c.why().limits, IsEmpty());
  c.set("AccountingStorageEnforce", "associations,limits,safe");
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].used, 950);
  EXPECT_EQ(v.limits[0].requested, 120);
}

TEST(AccountLimits, SpentMinutesBlockEverybody) {
  Cluster c;
  c.association("llm").limits.push_back(limit(kGrpTresMins, "cpu", 100, 100));
  c.wait("alice");
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_FALSE(v.limits[0].request_alone_exceeds);
}

TEST(AccountLimits, TooSmallForItsQos) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kMinTresPerJob, kGpu, 4));
  c.wait("alice", 1);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_TRUE(v.limits[0].request_alone_exceeds);
  EXPECT_THAT(v.summary, HasSubstr("wants at least 4 gres/gpu"));
}

TEST(AccountLimits, PerNode) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kMaxTresPerNode, "cpu", 16));
  auto& w = c.wait("alice");
  w.request.cpus = 32;
  w.request.cpus_per_task = 32;
  EXPECT_THAT(c.why().limits, SizeIs(1));
}

TEST(AccountLimits, WholeNodesBringAllTheirCpus) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "cpu", 40, 0));
  auto& w = c.wait("alice");
  w.request.sharing = model::Sharing::kWholeNode;
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].requested, 64);
}

// Memory for each CPU is given for all CPUs of a whole node, whatever number was asked for.
TEST(AccountLimits, WholeNodesBringTheMemoryOfAllTheirCpus) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "mem", static_cast<double>(gib(200).value), 0));
  c.s.queues[0].default_memory_per_cpu = gib(4);
  auto& w = c.wait("alice");
  w.request.sharing = model::Sharing::kWholeNode;
  w.request.memory = gib(4);
  w.request.memory_per = model::MemoryPer::kNode;  // squeue cannot tell, for one CPU on one node
  w.request.totals.set(model::names::kMemory, static_cast<double>(gib(4).value));
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].requested, static_cast<double>(gib(256).value));
  c.s.workloads.back().request.memory = gib(6);
  c.s.workloads.back().request.totals.set(model::names::kMemory, static_cast<double>(gib(6).value));
  EXPECT_THAT(c.why().limits, IsEmpty()) << "6 GiB were asked for on the node";
}

TEST(AccountLimits, CpusForEachGpuCount) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "cpu", 20, 0));
  auto& w = c.wait("alice", 4);
  w.request.cpus_per_gpu = 8;
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].requested, 32);
}

TEST(AccountLimits, MemoryIsInBytes) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "mem", static_cast<double>(gib(100).value),
                                         static_cast<double>(gib(80).value)));
  c.wait("alice").request.memory = gib(40);
  auto v = c.why();
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].unit, "bytes");
  EXPECT_EQ(v.limits[0].requested, static_cast<double>(gib(40).value));
  EXPECT_THAT(v.summary, HasSubstr("100 GiB"));
}

TEST(AccountLimits, NotEnforcedNotTested) {
  Cluster c;
  c.set("AccountingStorageEnforce", "associations");
  c.qos("normal").limits.push_back(limit(kGrpJobs, "", 0, 5));
  c.wait("alice");
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, SubmitBoundsKeepNobodyFromStarting) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpSubmitJobs, "", 1, 9));
  c.association("llm", "alice").limits.push_back(limit(kMaxSubmitJobs, "", 1, 9));
  c.wait("alice");
  EXPECT_THAT(c.why().limits, IsEmpty());
}

TEST(AccountLimits, TypedGpusCountForTheirType) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "gres/gpu:a100", 8, 8));
  auto& w = c.wait("alice", 1);
  EXPECT_THAT(c.why().limits, IsEmpty());  // without a type only after allocation
  w.request.gres_per_node[0].type = Symbol("a100");
  EXPECT_THAT(c.why().limits, SizeIs(1));
}

TEST(AccountLimits, NodesThatTheGroupUsesAlreadyMayBeFree) {
  Cluster c;
  c.qos("normal").limits.push_back(limit(kGrpTres, "node", 2, 2));
  c.run("bob", {0, 1}, 60);
  auto& w = c.wait("alice");
  EXPECT_THAT(c.why().unsure, ::testing::Contains(HasSubstr("counts a node once")));
  w.request.cpus = w.request.cpus_per_task.emplace(5);
  EXPECT_THAT(c.why().unsure, ::testing::Not(::testing::Contains(HasSubstr("counts a node once"))))
      << "there is no room for it on the nodes in use";
  w.request.cpus = w.request.cpus_per_task.emplace(1);
  w.reason = Symbol("QOSGrpNodeLimit");
  EXPECT_THAT(c.why().unsure, ::testing::Not(::testing::Contains(HasSubstr("counts a node once"))))
      << "the scheduler has chosen nodes and met the limit";
}

TEST(AccountLimits, TheSchedulersWordIsTakenWhereNothingWasRead) {
  Cluster c;
  c.wait("alice").reason = Symbol("AssocGrpGRES");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_THAT(v.unsure, ::testing::Contains(HasSubstr("limits were not read")));
}

}  // namespace
}  // namespace schedlens::diagnose
