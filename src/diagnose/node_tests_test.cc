// SPDX-License-Identifier: Apache-2.0
// One node test after the other, through explain(): what each rules out, and the class it leads to.

#include "diagnose/node_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/summary.h"
#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using model::MemoryPer;
using model::NodeId;
using testing::Cluster;
using testing::constraint;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using testing::says;
using ::testing::SizeIs;

TEST(NodeTests, TypedGpus) {
  Cluster c(4);
  for (int i = 0; i < 2; ++i) c.node(i).gres[0].type = Symbol("h100");
  for (int i = 0; i < 2; ++i) c.run("bob", {i}, 1, 8);
  auto& w = c.wait("alice", 2);
  w.request.gres_per_node[0].type = Symbol("h100");
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_THAT(constraint(v, "gres/gpu:h100").ruled_out, SizeIs(4));
  EXPECT_EQ(v.gpus.free, 0u);
}

TEST(NodeTests, TypesOfOneNodeAddUpForAnUntypedRequest) {
  Cluster c(1);
  c.node(0).gres = {{Symbol("gpu"), Symbol("a"), 4, 2, {}, ""},
                    {Symbol("gpu"), Symbol("b"), 4, 2, {}, ""}};
  c.wait("alice", 4);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, CpusForEachGpu) {
  Cluster c(1);
  c.run("bob", {0}, 40);
  auto& w = c.wait("alice", 4);
  w.request.cpus_per_gpu = 8;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(constraint(v, "cpus").only, SizeIs(1));
  EXPECT_THAT(constraint(v, "gres/gpu").ruled_out, IsEmpty());
  w.request.cpus_per_gpu = 6;
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, MemoryForEachGpuTakesThePlaceOfTheNodes) {
  Cluster c(1);
  c.run("bob", {0}, 1, 0, gib(700));
  auto& w = c.wait("alice", 4);
  w.request.memory = {};
  w.request.memory_per_gpu = gib(100);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(constraint(v, "memory").only, SizeIs(1));
  w.request.memory_per_gpu = gib(70);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, MemoryForEachCpu) {
  Cluster c(1);
  c.run("bob", {0}, 1, 0, gib(900));
  auto& w = c.wait("alice");
  w.request.cpus = 20;
  w.request.cpus_per_task = 20;
  w.request.memory_per = MemoryPer::kCpu;
  w.request.memory = gib(6);
  EXPECT_EQ(c.why().cause, RootCause::kCapacity);
  w.request.memory = gib(5);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, MemoryZeroWantsANodeWhereNoneIsAllocated) {
  Cluster c(2);
  c.run("bob", {0}, 1, 0, gib(1));
  auto& w = c.wait("alice");
  w.request.memory = {};
  auto v = c.why();
  EXPECT_EQ(v.fit.nodes, std::vector<NodeId>{{1}});
  EXPECT_THAT(constraint(v, "memory").only, SizeIs(1));
}

TEST(NodeTests, MemoryZeroMeansNothingWhereMemoryIsNotCounted) {
  Cluster c(1);
  c.set("SelectTypeParameters", "CR_CORE");
  c.run("bob", {0}, 1, 0, gib(1));
  c.wait("alice").request.memory = {};
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, MemoryOfTheSystemIsNotForJobs) {
  Cluster c(1);
  c.node(0).memory_reserved = gib(50);
  c.wait("alice").request.memory = gib(960);
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
  c.s.workloads.back().request.memory = gib(950);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, CoresOfTheSystemAreNotForJobs) {
  Cluster c(1);
  c.node(0).cpus_effective = 60;
  auto& w = c.wait("alice");
  w.request.cpus = 62;
  w.request.cpus_per_task = 62;
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
}

TEST(NodeTests, WholeNodesMustBeEmpty) {
  Cluster c(2);
  c.run("bob", {0}, 1);
  c.run("bob", {1}, 1);
  auto& w = c.wait("alice");
  w.request.sharing = model::Sharing::kWholeNode;
  auto v = c.why();
  EXPECT_THAT(constraint(v, "exclusive").only, SizeIs(2));
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
}

TEST(NodeTests, AnExclusivePartitionGivesWholeNodes) {
  Cluster c(1);
  c.run("bob", {0}, 1);
  c.queue().exclusive = true;
  c.wait("alice");
  EXPECT_THAT(constraint(c.why(), "exclusive").ruled_out, SizeIs(1));
}

TEST(NodeTests, ANodeGivenWholeToAJobIsClosed) {
  Cluster c(2);
  c.run("bob", {0}, 10).request.sharing = model::Sharing::kWholeNode;
  c.wait("alice");
  auto v = c.why();
  EXPECT_THAT(constraint(v, "exclusive").only, SizeIs(1));
  EXPECT_EQ(v.fit.nodes, std::vector<NodeId>{{1}});
}

TEST(NodeTests, FeaturesWithRoomElsewhere) {
  Cluster c(4);
  for (int i = 0; i < 2; ++i) c.node(i).features.push_back(Symbol("rackB"));
  for (int i = 0; i < 2; ++i) c.run("bob", {i}, 1, 8);
  auto& w = c.wait("alice", 8);
  w.request.features = "rackB";
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_THAT(constraint(v, "features").ruled_out, SizeIs(2));
  EXPECT_THAT(constraint(v, "features").only, SizeIs(2));
  EXPECT_THAT(v.summary, HasSubstr("rackB"));
}

TEST(NodeTests, FeatureThatNobodyHas) {
  Cluster c(2);
  c.wait("alice").request.features = "h100";
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary, HasSubstr("h100"));
}

TEST(NodeTests, UnreadableFeaturesProveNothing) {
  Cluster c(2);
  c.wait("alice").request.features = "h100&&";
  auto v = c.why();
  EXPECT_NE(v.cause, RootCause::kImpossible);
  EXPECT_TRUE(says(v.unsure, "was not understood"));
}

TEST(NodeTests, OneRackForAllNodes) {
  Cluster c(4);
  for (int i = 0; i < 4; ++i) c.node(i).features.push_back(Symbol(i < 2 ? "r1" : "r2"));
  c.run("bob", {0}, 1, 8);
  c.run("bob", {2}, 1, 8);
  auto& w = c.wait("alice", 8);
  w.request.min_nodes = 2;
  w.request.max_nodes = 2;
  w.request.tasks = 2;
  w.request.cpus = 2;
  w.request.features = "[r1|r2]";
  EXPECT_FALSE(c.why().fit.fits_now);
  w.request.features = "r1|r2";
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, CountedFeatures) {
  Cluster c(4);
  c.node(0).features.push_back(Symbol("x"));
  auto& w = c.wait("alice");
  w.request.min_nodes = w.request.tasks.emplace(3);
  w.request.max_nodes = 3;
  w.request.cpus = 3;
  w.request.features = "[x*2&ib*1]";
  EXPECT_FALSE(c.why().fit.fits_now);
  w.request.features = "[x*1&ib*2]";
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, ExcludedNodesWithRoom) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  auto& w = c.wait("alice", 8);
  w.request.excluded_nodes->push_back({1});
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_EQ(constraint(v, "excluded_nodes").only, std::vector<NodeId>{{1}});
}

TEST(NodeTests, RequiredNodeThatIsFull) {
  Cluster c(2);
  c.run("bob", {0}, 1, 8);
  auto& w = c.wait("alice", 8);
  w.request.required_nodes.push_back({0});
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kConstraint);
  EXPECT_EQ(constraint(v, "required_nodes").ruled_out, std::vector<NodeId>{{1}});
}

TEST(NodeTests, RequiredNodeThatIsOut) {
  Cluster c(4);
  c.drain(1, "bad dimm");
  c.drain(2, "other");
  auto& w = c.wait("alice");
  w.request.required_nodes.push_back({1});
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  ASSERT_THAT(v.unhealthy_nodes, SizeIs(1));
  EXPECT_EQ(v.unhealthy_nodes[0].node, NodeId{1});
  EXPECT_EQ(v.unhealthy_nodes[0].state, "drained");
  EXPECT_EQ(v.unhealthy_nodes[0].reason, "bad dimm");
  EXPECT_TRUE(v.unhealthy_nodes[0].would_fit);
  EXPECT_THAT(v.summary, HasSubstr("bad dimm"));
}

TEST(NodeTests, RequiredNodeAmongOthers) {
  Cluster c(3);
  c.run("bob", {1}, 64);
  auto& w = c.wait("alice");
  w.request.min_nodes = w.request.tasks.emplace(2);
  w.request.max_nodes = 2;
  w.request.cpus = 2;
  w.request.required_nodes.push_back({2});
  auto v = c.why();
  EXPECT_EQ(v.fit.nodes, (std::vector<NodeId>{{0}, {2}}));
}

TEST(NodeTests, StatesKeepTheSchedulersWords) {
  Cluster c(5);
  c.drain(0);
  c.node(1).state = model::NodeState::kDown;
  c.node(2).flags.set(model::NodeFlag::kNotResponding);
  c.node(3).flags.set(model::NodeFlag::kFail);
  auto& w = c.wait("alice");
  w.request.min_nodes = w.request.tasks.emplace(5);
  w.request.max_nodes = 5;
  w.request.cpus = 5;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  for (auto name : {"drain", "down", "not_responding", "fail"}) {
    EXPECT_THAT(constraint(v, name).only, SizeIs(1)) << name;
  }
  EXPECT_THAT(v.unhealthy_nodes, SizeIs(4));
}

TEST(NodeTests, AllNodesOfThePartitionOutAndBusy) {
  Cluster c(2);
  for (int i = 0; i < 2; ++i) {
    c.run("bob", {i}, 64, 8);
    c.drain(i);
  }
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kUnhealthyNodes);
  EXPECT_FALSE(v.unhealthy_nodes.at(0).would_fit);
}

TEST(NodeTests, CompletingNodesWait) {
  Cluster c(1);
  c.node(0).flags.set(model::NodeFlag::kCompleting);
  c.wait("alice");
  auto v = c.why();
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_THAT(constraint(v, "completing").only, SizeIs(1));
}

// Nothing is wrong with it: once it is off the scheduler starts it for the job.
TEST(NodeTests, ANodeBeingPoweredDownIsNotUnhealthy) {
  Cluster c(1);
  c.node(0).flags.set(model::NodeFlag::kPoweringDown);
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_THAT(v.unhealthy_nodes, SizeIs(0));
  EXPECT_EQ(v.gpus.free, 0u);
  EXPECT_THAT(constraint(v, "powering_down").only, SizeIs(1));
  EXPECT_THAT(v.details,
              ::testing::Contains(HasSubstr("being powered down and would hold the job's share")));
}

TEST(NodeTests, ADrainedNodeBeingPoweredDownIsUnhealthy) {
  Cluster c(1);
  c.drain(0);
  c.node(0).flags.set(model::NodeFlag::kPoweringDown);
  c.wait("alice", 1);
  EXPECT_EQ(c.why().cause, RootCause::kUnhealthyNodes);
}

TEST(NodeTests, APoweredDownNodeHoldsAJob) {
  Cluster c(1);
  c.node(0).flags.set(model::NodeFlag::kPoweredDown);
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_THAT(v.details,
              ::testing::Contains(HasSubstr("is powered down; the scheduler powers it up")));
}

TEST(NodeTests, AJobWhoseNodeIsPoweringUpSaysSo) {
  Cluster c(1);
  c.node(0).flags.set(model::NodeFlag::kPoweringUp);
  c.node(0).flags.set(model::NodeFlag::kNotResponding);
  c.run("bob", {0}, 4, 1).flags.set(model::WorkloadFlag::kConfiguring);
  c.wait("alice", 1);
  c.s.build_index();
  EXPECT_THAT(summarize_not_waiting(c.s, c.s.workloads[0]),
              HasSubstr("it starts once n0 is up (powering_up)"));
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, TemporaryDisk) {
  Cluster c(2);
  c.node(0).tmp_disk = gib(100);
  c.wait("alice").request.tmp_disk = gib(50);
  auto v = c.why();
  EXPECT_EQ(v.fit.nodes, std::vector<NodeId>{{0}});
  EXPECT_EQ(constraint(v, "tmp_disk").only, std::vector<NodeId>{{1}});
}

TEST(NodeTests, ShapeOfSockets) {
  Cluster c(1);
  c.wait("alice").request.cores_per_socket = 48;
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(constraint(v, "sockets").only, SizeIs(1));
  EXPECT_TRUE(says(v.unsure, "which cores of which socket"));
}

TEST(NodeTests, OneThreadPerCoreUsesHalfTheCpus) {
  Cluster c(1);
  c.node(0).threads_per_core = 2;
  auto& w = c.wait("alice");
  w.request.cpus = 40;
  w.request.cpus_per_task = 40;
  EXPECT_TRUE(c.why().fit.fits_now);
  w.request.threads_per_core = 1;
  EXPECT_FALSE(c.why().fit.fits_now);
}

TEST(NodeTests, MaxCpusPerNodeCountsThePartitionsOwnJobs) {
  Cluster c(1);
  c.add_queue("other", {0});
  c.queue().max_cpus_per_node = Bound<std::uint32_t>::of(32);
  c.run("bob", {0}, 16);
  c.run("bob", {0}, 16).queues = {Symbol("other")};
  auto& w = c.wait("alice");
  w.request.cpus = 20;
  w.request.cpus_per_task = 20;
  auto v = c.why();
  EXPECT_THAT(constraint(v, "MaxCPUsPerNode").only, SizeIs(1));
  w.request.cpus = 16;
  w.request.cpus_per_task = 16;
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, NodesOfOtherUsers) {
  Cluster c(2);
  c.node(0).owner = Symbol("bob");
  c.wait("alice");
  EXPECT_EQ(constraint(c.why(), "owner").only, std::vector<NodeId>{{0}});
  Cluster d(2);
  d.run("bob", {0}, 1);
  d.run("alice", {1}, 1);
  d.wait("alice").request.sharing = model::Sharing::kUser;
  auto v = d.why();
  EXPECT_EQ(v.fit.nodes, std::vector<NodeId>{{1}});
  EXPECT_EQ(constraint(v, "owner").only, std::vector<NodeId>{{0}});
}

TEST(NodeTests, CoreSpecTakesCoresAndTheWholeNode) {
  Cluster c(1);
  auto& w = c.wait("alice");
  w.request.core_spec = 4;
  w.request.cpus = w.request.cpus_per_task.emplace(62);
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
  w.request.cpus = w.request.cpus_per_task.emplace(60);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(NodeTests, UnknownUseOfDevicesCountsAsFull) {
  Cluster c(1);
  c.run("bob", {0}, 1);
  c.node(0).gres[0].used.reset();
  c.wait("alice", 1);
  auto v = c.why();
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_TRUE(says(v.unsure, "how many devices are in use"));
}

TEST(NodeTests, MoreThanANodeHasIsImpossible) {
  Cluster c(2);
  c.wait("alice", 9);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kImpossible);
  EXPECT_THAT(v.summary, HasSubstr("9 GPUs"));
}

TEST(NodeTests, MoreNodesThanThereAreIsImpossible) {
  Cluster c(2);
  auto& w = c.wait("alice");
  w.request.min_nodes = 3;
  w.request.max_nodes = 3;
  w.request.tasks = 3;
  w.request.cpus = 3;
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
}

TEST(NodeTests, DrainedNodesAreNoProofOfImpossibility) {
  Cluster c(3);
  c.drain(2);
  auto& w = c.wait("alice");
  w.request.min_nodes = 3;
  w.request.max_nodes = 3;
  w.request.tasks = 3;
  w.request.cpus = 3;
  EXPECT_EQ(c.why().cause, RootCause::kUnhealthyNodes);
}

TEST(NodeTests, HeldForConstraintsIsImpossibleUntilTheyCanBeMet) {
  Cluster c(2);
  auto& w = c.wait("alice");
  w.reason = Symbol("BadConstraints");
  w.priority = 0;
  w.request.features = "h100";
  EXPECT_EQ(c.why().cause, RootCause::kImpossible);
  c.node(0).features.push_back(Symbol("h100"));
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kHold);
  EXPECT_THAT(v.reason_difference, HasSubstr("could be satisfied now"));
}

}  // namespace
}  // namespace schedlens::diagnose
