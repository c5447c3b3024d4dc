// SPDX-License-Identifier: Apache-2.0
#include "diagnose/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::constraint;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using testing::says;
using ::testing::SizeIs;

// The case that operators know: GPUs are free everywhere, nowhere eight on one node.
TEST(Explain, FragmentationNamesTheNumbersAndTheDrainedNodes) {
  Cluster c(64);
  for (int i = 0; i < 60; ++i) c.run("bob", {i}, 6, 6);
  for (int i = 60; i < 64; ++i) c.drain(i);
  c.wait("carol", 8).request.cpus = 8;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_EQ(v.gpus.free, 120u);
  EXPECT_EQ(v.gpus.largest_hole, 2u);
  EXPECT_EQ(v.gpus.out_of_service, 32u);
  EXPECT_EQ(v.gpus.requested, 8u);
  EXPECT_EQ(v.gpus.requested_per_node, 8u);
  EXPECT_THAT(v.unhealthy_nodes, SizeIs(4));
  EXPECT_TRUE(v.unhealthy_nodes[0].would_fit);
  EXPECT_THAT(v.summary, HasSubstr("120 GPUs are free"));
  EXPECT_THAT(v.summary, HasSubstr("4 nodes out of service would hold it"));
  EXPECT_THAT(v.reason_difference, HasSubstr("Resources"));
  EXPECT_THAT(constraint(v, "gres/gpu").ruled_out, SizeIs(60));
  EXPECT_THAT(constraint(v, "gres/gpu").only, SizeIs(60));
  EXPECT_THAT(constraint(v, "drain").only, SizeIs(4));
  EXPECT_FALSE(v.fit.fits_now);
}

TEST(Explain, GpusWithoutCpusBesideThemAreStranded) {
  Cluster c(2);
  c.run("bob", {0, 1}, 60);
  auto& w = c.wait("alice", 8);
  w.request.cpus = 8;
  w.request.tasks = 8;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_EQ(v.gpus.free, 16u);
  EXPECT_EQ(v.gpus.free_allocatable, 0u);
  EXPECT_EQ(v.gpus.largest_hole, 0u);
  EXPECT_EQ(v.gpus.stranded, 16u);
  EXPECT_THAT(constraint(v, "cpus").only, SizeIs(2));
}

TEST(Explain, CapacityWhenNotEnoughInSum) {
  Cluster c(2);
  c.run("bob", {0, 1}, 8, 8);
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_EQ(v.gpus.free, 0u);
  EXPECT_THAT(constraint(v, "gres/gpu").only, SizeIs(2));
}

TEST(Explain, HoldByUserStillSaysThatItWouldFit) {
  Cluster c;
  auto& w = c.wait("alice", 1);
  w.priority = 0;
  w.reason = Symbol("JobHeldUser");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kHold);
  EXPECT_THAT(v.summary, HasSubstr("user"));
  EXPECT_TRUE(v.fit.fits_now);
}

TEST(Explain, DependencyNamesTheParent) {
  Cluster c;
  auto parent = c.run("bob", {0}, 1).job_id;
  auto& w = c.wait();
  w.reason = Symbol("Dependency");
  w.dependency = "afterok:" + std::to_string(parent) + "(unfulfilled)";
  w.eligible.reset();
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kDependency);
  EXPECT_THAT(v.summary, HasSubstr("afterok"));
  EXPECT_TRUE(says(v.details, "of bob is running"));
}

TEST(Explain, BeginTimeInTheFuture) {
  Cluster c;
  auto& w = c.wait();
  w.reason = Symbol("BeginTime");
  w.eligible = w.start = Timestamp{kNow + 7200};  // Slurm gives the begin time as the start
  auto v = c.why();
  EXPECT_FALSE(says(v.details, "expects it to start"));
  EXPECT_EQ(v.cause, RootCause::kBeginTime);
  EXPECT_THAT(v.summary, HasSubstr("2h0m"));
}

TEST(Explain, RunningWorkloadsAreNotWaiting) {
  Cluster c;
  c.run("bob", {0, 1}, 4, 8);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNone);
  EXPECT_THAT(v.summary, HasSubstr("running on 2 nodes with 16 GPUs for 10m0s"));
  EXPECT_THAT(v.constraints, IsEmpty());
}

TEST(Explain, HoldsOfEveryKind) {
  Cluster c;
  auto& w = c.wait();
  w.priority = 0;
  EXPECT_EQ(c.why().cause, RootCause::kHold);
  w.reason = Symbol("JobHeldAdmin");
  EXPECT_THAT(c.why().summary, HasSubstr("administrator"));
  w.priority = 100;
  w.reason = Symbol("JobHoldMaxRequeue");
  EXPECT_THAT(c.why().summary, HasSubstr("requeued"));
  w.reason = Symbol("None");
  w.flags.set(model::WorkloadFlag::kRequeueHold);
  EXPECT_EQ(c.why().cause, RootCause::kHold);
}

TEST(Explain, HeldAndDependentIsHeld) {
  Cluster c;
  auto& w = c.wait();
  w.priority = 0;
  w.reason = Symbol("JobHeldUser");
  w.dependency = "afterok:99(unfulfilled)";
  EXPECT_EQ(c.why().cause, RootCause::kHold);
}

TEST(Explain, DependencyThatCanNeverCome) {
  Cluster c;
  auto& w = c.wait();
  w.reason = Symbol("DependencyNeverSatisfied");
  w.dependency = "afterok:99(failed)";
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kDependency);
  EXPECT_THAT(v.summary, HasSubstr("never"));
  EXPECT_TRUE(says(v.details, "job 99 is not in the queue any more"));
}

TEST(Explain, FulfilledDependenciesDoNotCount) {
  Cluster c;
  c.wait().dependency = "afterok:99(fulfilled)";
  EXPECT_NE(c.why().cause, RootCause::kDependency);
}

// Where only its partition of the lower tier has room, all of the higher tier are ahead of it.
TEST(Explain, AJobOfTwoPartitionsStandsWhereItIsClosestToStarting) {
  Cluster c(3);
  c.queue().nodes = {{0}};
  c.queue().priority_tier = 10;
  c.add_queue("other", {1}).priority_tier = 10;
  c.add_queue("all", {0, 1}).priority_tier = 5;
  c.run("bob", {0}, 1, 8);
  auto& mine = c.wait("alice", 8);
  mine.queues = {Symbol("main"), Symbol("all")};
  mine.priority = 5000;
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
  auto& ahead = c.wait("carol", 4);
  ahead.queues = {Symbol("other")};
  ahead.priority = 10;
  std::swap(c.s.workloads[1], c.s.workloads[2]);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_THAT(v.ahead, SizeIs(1));
}

// The default of a partition is given anew in each that the scheduler tries.
TEST(Explain, MemoryByDefaultIsThatOfEachPartition) {
  const auto cause = [](Bytes asked) {
    Cluster c(2);
    c.queue().nodes = {{0}};
    c.queue().default_memory_per_cpu = gib(4);
    c.add_queue("other", {1}).default_memory_per_cpu = gib(16);
    c.run("bob", {0}, 64);
    c.run("bob", {1}, 1, 0, gib(400));
    auto& w = c.wait("alice");
    w.queues = {Symbol("main"), Symbol("other")};
    w.request.tasks = 50;
    w.request.cpus = 50;
    w.request.memory_per = model::MemoryPer::kCpu;
    w.request.memory = asked;
    return c.why().cause;
  };
  EXPECT_EQ(cause(gib(4)), RootCause::kCapacity);
  EXPECT_EQ(cause(gib(5)), RootCause::kNotConsidered) << "no default: somebody asked for that";
}

// It waits in both of its partitions, although it is closest to starting in the first.
TEST(Explain, AJobOfTwoPartitionsHoldsUpBoth) {
  Cluster c(3);
  c.queue().nodes = {{0}};
  c.add_queue("other", {1, 2});
  c.run("bob", {0, 1}, 1, 4);
  auto& ahead = c.wait("carol", 8);
  ahead.queues = {Symbol("main"), Symbol("other")};
  ahead.request.excluded_nodes = {{{2}}};
  ahead.priority = 1000;
  auto& w = c.wait("alice", 2);
  w.queues = {Symbol("other")};
  w.priority = 10;
  EXPECT_EQ(c.why().cause, RootCause::kPriority);
}

TEST(Explain, ArrayThrottleWithTheTasksThatRun) {
  Cluster c;
  for (std::uint32_t task = 1; task <= 2; ++task) {
    c.run("alice", {0}, 1).array = model::ArrayPlace{1, task, "", 0, 2};
  }
  auto& w = c.wait("alice");
  w.array = model::ArrayPlace{1, {}, "3-9", 7, 2};
  w.reason = Symbol("JobArrayTaskLimit");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  ASSERT_THAT(v.limits, SizeIs(1));
  EXPECT_EQ(v.limits[0].holder, "array 1");
  EXPECT_EQ(v.limits[0].limit, 2);
  EXPECT_EQ(v.limits[0].used, 2);
  EXPECT_THAT(v.limits[0].filled_by, SizeIs(2));
  EXPECT_TRUE(says(v.details, "7 waiting tasks"));
}

TEST(Explain, LicencesInUse) {
  Cluster c;
  c.s.licences.push_back({Symbol("matlab"), 2, 2, 0, {}, false});
  c.wait().request.licences.push_back({Symbol("matlab"), Symbol(), 1});
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLicence);
  EXPECT_THAT(v.summary, HasSubstr("needs 1 of licence matlab, and 2 of 2 are in use"));
  c.s.licences[0].used = 1;
  EXPECT_NE(c.why().cause, RootCause::kLicence);
  c.s.licences[0].deficit = 1;
  EXPECT_EQ(c.why().cause, RootCause::kLicence);
  c.s.workloads.back().request.licences[0].count = 3;
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
}

TEST(Explain, OneOfSeveralLicencesIsEnough) {
  Cluster c;
  c.s.licences = {{Symbol("matlab"), 2, 2, 0, {}, false}, {Symbol("ansys"), 1, 0, 0, {}, false}};
  auto& request = c.wait().request;
  request.licences = {{Symbol("matlab"), Symbol(), 1}, {Symbol("ansys"), Symbol(), 1}};
  EXPECT_EQ(c.why().cause, RootCause::kLicence);
  request.any_licence = true;
  EXPECT_NE(c.why().cause, RootCause::kLicence);
  c.s.licences[1].used = 1;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLicence);
  EXPECT_THAT(v.summary, HasSubstr("in use, or needs 1 of licence ansys"));
  request.licences[0].count = 3;
  EXPECT_EQ(c.why().cause, RootCause::kLicence) << "one of them may still come free";
  request.licences[1].count = 2;
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
}

TEST(Explain, ReservationOfOthersOverTheOnlyRoom) {
  Cluster c(3);
  c.run("bob", {2}, 1, 8);
  c.reserve("theirs", {0, 1}, -60, 7200);
  c.wait("alice", 8);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kReservation);
  ASSERT_THAT(v.reservations, SizeIs(1));
  EXPECT_EQ(v.reservations[0].name.view(), "theirs");
  EXPECT_THAT(v.reservations[0].nodes, SizeIs(2));
  EXPECT_THAT(v.reservations[0].effect, HasSubstr("2 nodes set aside now"));
  EXPECT_THAT(constraint(v, "reservation").ruled_out, SizeIs(2));
}

// The job of an hour must end by the time the reservation begins.
TEST(Explain, ReservationLaterBlocksOnlyLongJobs) {
  Cluster c(1);
  c.reserve("maint", {0}, 3600, 7200);
  c.wait("alice", 1);
  EXPECT_TRUE(c.why().fit.fits_now);
  c.s.workloads.back().time_limit = Bound<Seconds>::of({3601});
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kReservation);
  EXPECT_THAT(v.reservations.at(0).effect, HasSubstr("and the job may run until"));
  c.s.workloads.back().time_limit = Bound<Seconds>::unlimited();
  EXPECT_EQ(c.why().cause, RootCause::kReservation);
}

TEST(Explain, OwnReservationThatBeginsLater) {
  Cluster c(2);
  c.reserve("mine", {0}, 3600, 7200);
  auto& w = c.wait("alice", 1);
  w.reservation = Symbol("mine");
  w.reason = Symbol("Reservation");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kReservation);
  EXPECT_THAT(v.summary, HasSubstr("mine begins at"));
  EXPECT_EQ(v.reservations.at(0).name.view(), "mine");
}

TEST(Explain, InsideItsReservationOnlyItsNodesCount) {
  Cluster c(2);
  c.reserve("mine", {0}, -60, 7200);
  auto& w = c.wait("alice", 1);
  w.reservation = Symbol("mine");
  auto v = c.why();
  EXPECT_EQ(v.fit.nodes, std::vector<model::NodeId>{{0}});
  EXPECT_THAT(constraint(v, "own_reservation").only, SizeIs(1));
}

TEST(Explain, LostReservation) {
  Cluster c(2);
  c.reserve("other", {0}, -60, 7200);
  auto& w = c.wait("alice", 1);
  w.reservation = Symbol("gone");
  w.priority = 0;
  w.reason = Symbol("ReservationDeleted");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kReservation);
  EXPECT_THAT(v.summary, HasSubstr("gone"));
}

TEST(Explain, MagneticReservationsAreOpenToTheirUsers) {
  Cluster c(1);
  auto& r = c.reserve("pull", {0}, -60, 7200);
  r.flags = {"MAGNETIC"};
  r.users = {Symbol("alice")};
  c.wait("alice", 1);
  EXPECT_TRUE(c.why().fit.fits_now);
  c.wait("bob", 1);
  EXPECT_EQ(c.why().cause, RootCause::kReservation);
}

TEST(Explain, ReservationOfSomeCoresIsNotCountedAgainstTheNode) {
  Cluster c(1);
  c.reserve("cores", {0}, -60, 7200).core_count = 4;
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_TRUE(says(v.unsure, "reservation cores holds only some cores"));
}

// Nodes out of service are the cause only where those in service cannot do it in sum.
TEST(Explain, UnhealthyNodesWhenTheHealthyOnesAreFull) {
  Cluster c(3);
  c.run("bob", {0, 1}, 1, 8);
  c.drain(2);
  c.wait("alice", 8);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  EXPECT_THAT(v.summary, HasSubstr("1 node would hold it but is out of service: n2"));
  EXPECT_TRUE(says(v.details, "n2 is drained (transient ECC error)"));
  EXPECT_EQ(v.gpus.out_of_service, 8u);
}

TEST(Explain, SchedulersTextAboutDrainedNodesThatAreNot) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  c.run("bob", {1}, 1, 4);
  auto& w = c.wait("alice", 8);
  w.reason_text =
      "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
  auto v = c.why();
  EXPECT_THAT(v.reason_difference, HasSubstr("none of the nodes it may use is"));
  EXPECT_EQ(v.scheduler_reason, w.reason_text);
}

TEST(Explain, PriorityOfTheSchedulerIsNotOurs) {
  Cluster c(1);
  c.run("bob", {0}, 1, 8);
  c.wait("alice", 1).reason = Symbol("Priority");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_THAT(v.reason_difference, HasSubstr("did not test this one"));
}

TEST(Explain, WhatOnlyTheSchedulerKnowsIsTakenFromIt) {
  Cluster c;
  auto& w = c.wait();
  w.qos = Symbol("high");
  w.reason = Symbol("InvalidQOS");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kLimit);
  EXPECT_THAT(v.summary, HasSubstr("high"));
  w.reason = Symbol("BurstBufferStageIn");
  EXPECT_EQ(c.why().cause, RootCause::kVolume);
  w.reason = Symbol("Cleaning");
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
  EXPECT_THAT(c.why().summary, HasSubstr("cleaned up"));
}

TEST(Explain, HeterogeneousJobsStartTogether) {
  Cluster c;
  auto& w = c.wait();
  w.het = model::HetPlace{w.job_id, 0};
  EXPECT_TRUE(says(c.why().details, "heterogeneous"));
}

// Two waiting components of one job, in partitions of four nodes each: the second asks for GPUs.
struct HetCluster : Cluster {
  std::size_t first = 0, second = 0;

  explicit HetCluster(std::uint64_t gpus) {
    add_queue("a", {0, 1, 2, 3});
    add_queue("b", {4, 5, 6, 7});
    first = component(0, "a", 0);
    second = component(1, "b", gpus);
  }
  std::size_t component(std::uint32_t offset, std::string_view queue, std::uint64_t gpus) {
    auto& w = wait("alice", static_cast<int>(gpus));
    if (offset == 0) group = w.job_id;
    w.het = model::HetPlace{group, offset};
    w.queues = {Symbol(queue)};
    return s.workloads.size() - 1;
  }
  std::uint32_t group = 0;
};

TEST(Explain, AComponentThatFitsWaitsForItsGroup) {
  HetCluster c(8);
  c.run("bob", {4, 5, 6, 7}, 1, 8);
  EXPECT_EQ(c.why(c.second).cause, RootCause::kCapacity);
  auto v = c.why(c.first);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_THAT(v.summary, HasSubstr("and 1+1 cannot (capacity): needs 8 GPUs"));
  EXPECT_EQ(Explainer(c.s).classify({static_cast<std::uint32_t>(c.first)}), RootCause::kGang);
}

TEST(Explain, AGroupThatFitsIsOnlyNotConsideredYet) {
  HetCluster c(8);
  EXPECT_EQ(c.why(c.first).cause, RootCause::kNotConsidered);
  EXPECT_EQ(c.why(c.second).cause, RootCause::kNotConsidered);
}

TEST(Explain, AComponentBlockedByALimitNamesIt) {
  HetCluster c(8);
  c.s.workloads[c.second].qos = Symbol("small");
  c.qos("small").limits.push_back(testing::limit(model::LimitKind::kGrpTres, "gres/gpu", 4, 0));
  auto v = c.why(c.first);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("1+1 cannot (limit)"));
  EXPECT_TRUE(says(v.unsure, "limits are tested for each component by itself"));
}

TEST(Explain, ComponentsThatFitOnlyOneByOne) {
  HetCluster c(8);
  c.s.workloads[c.first].queues = {Symbol("b")};
  for (auto i : {c.first, c.second}) {
    c.s.workloads[i].request.min_nodes = c.s.workloads[i].request.max_nodes.emplace(3);
    c.s.workloads[i].request.sharing = model::Sharing::kWholeNode;
  }
  for (auto i : {c.first, c.second}) {
    auto v = c.why(i);
    EXPECT_EQ(v.cause, RootCause::kGang);
    EXPECT_THAT(v.summary, HasSubstr("not enough for all of them at once"));
    EXPECT_THAT(v.ahead, IsEmpty());
  }
}

TEST(Explain, AComponentBehindAnotherJobKeepsItsGroup) {
  HetCluster c(1);
  c.run("bob", {4}, 1, 8);
  auto& big = c.wait("carol", 8);
  big.queues = {Symbol("b")};
  big.priority = 99999;
  big.request.min_nodes = big.request.max_nodes.emplace(4);
  EXPECT_EQ(c.why(c.second).cause, RootCause::kPriority);
  auto v = c.why(c.first);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("cannot (priority)"));
}

// Its own group does not stand ahead of it, even in the same partition.
TEST(Explain, AComponentIsNotBehindItsOwnGroup) {
  HetCluster c(8);
  c.s.workloads[c.first].request.gres_per_node = c.s.workloads[c.second].request.gres_per_node;
  c.s.workloads[c.second].request.gres_per_node.clear();
  c.s.workloads[c.second].queues = c.s.workloads[c.first].queues;
  c.run("bob", {0, 1, 2, 3}, 1, 8);
  auto v = c.why(c.second);
  EXPECT_EQ(v.cause, RootCause::kGang);
  EXPECT_THAT(v.summary, HasSubstr("1+0 cannot (capacity)"));
}

// Others may use the room of a component that cannot start.
TEST(Explain, AnIncompleteGroupTakesNoRoom) {
  HetCluster c(8);
  c.run("bob", {4, 5, 6, 7}, 1, 8);
  c.s.workloads[c.first].request.min_nodes = c.s.workloads[c.first].request.max_nodes.emplace(4);
  c.s.workloads[c.first].request.sharing = model::Sharing::kWholeNode;
  c.s.workloads[c.first].start = Timestamp{kNow + 36000};
  c.wait("dave").queues = {Symbol("a")};
  EXPECT_EQ(c.why().cause, RootCause::kNotConsidered);
}

TEST(Explain, WhatWasNotReadIsSaid) {
  Cluster c;
  auto& w = c.wait("alice", 1);
  w.request.excluded_nodes.reset();
  w.request.memory_per = model::MemoryPer::kUnspecified;
  c.node(0).gres[0].sockets = "0-1";
  c.set("JobSubmitPlugins", "lua");
  auto& source = c.s.sources.emplace_back();
  source.name = "squeue";
  source.state = model::SourceState::kFailed;
  source.last_success = Timestamp{kNow - 90};
  auto v = c.why();
  EXPECT_TRUE(says(v.unsure, "excludes nodes was not read"));
  EXPECT_TRUE(says(v.unsure, "memory is not tested"));
  EXPECT_TRUE(says(v.unsure, "GPUs belong to sockets"));
  EXPECT_TRUE(says(v.unsure, "job submit plugin (lua)"));
  EXPECT_TRUE(says(v.unsure, "squeue was last read 1m30s ago"));
  c.s.sources.back().state = model::SourceState::kStale;
  EXPECT_TRUE(says(c.why().unsure, "longer ago than it should be"));
  c.s.config.reset();
  EXPECT_TRUE(says(c.why().unsure, "configuration was not read"));
}

TEST(Explain, EmptyClusterOfNothing) {
  Cluster c(0);
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_FALSE(v.fit.fits_now);
}

TEST(Explain, FinishedWorkloadsSayHowTheyEnded) {
  Cluster c;
  auto& w = c.wait();
  w.state = model::WorkloadState::kFailed;
  w.exit = model::Exit{3, 0};
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kNone);
  EXPECT_THAT(v.summary, HasSubstr("failed"));
  EXPECT_THAT(v.summary, HasSubstr("3:0"));
}

}  // namespace
}  // namespace schedlens::diagnose
