// SPDX-License-Identifier: Apache-2.0
#include "diagnose/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::says;
using ::testing::SizeIs;

// GPUs for the whole job, on nodes with different numbers free.
Verdict gpus_in_all(std::vector<int> free, std::uint64_t wanted,
                    std::optional<std::uint32_t> nodes) {
  Cluster c(static_cast<int>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] < 8) c.run("bob", {static_cast<int>(i)}, 1, 8 - free[i]);
  }
  auto& r = c.wait("alice").request;
  r.gres_per_job.push_back({Symbol("gpu"), Symbol(), wanted});
  r.min_nodes = nodes.value_or(1);
  r.max_nodes = nodes;
  return c.why();
}

TEST(Placement, GpusInAllMaySpreadOverAnyNodes) {
  auto v = gpus_in_all({3, 3, 3}, 8, std::nullopt);
  EXPECT_TRUE(v.fit.fits_now);
  EXPECT_THAT(v.fit.nodes, SizeIs(3));
}

TEST(Placement, WithANumberOfNodesTheBestOfThemCount) {
  EXPECT_FALSE(gpus_in_all({3, 3, 3}, 8, 2).fit.fits_now);
  EXPECT_TRUE(gpus_in_all({3, 2, 5}, 8, 2).fit.fits_now);
}

TEST(Placement, TooFewInAllIsCapacity) {
  EXPECT_EQ(gpus_in_all({1, 2, 3}, 8, std::nullopt).cause, RootCause::kCapacity);
}

TEST(Placement, EnoughInAllButNotOnSoFewNodesIsFragmentation) {
  EXPECT_EQ(gpus_in_all({3, 3, 3}, 8, 2).cause, RootCause::kFragmentation);
}

TEST(Placement, CpusOfSeveralNodesAddUp) {
  Cluster c(3);
  for (int i = 0; i < 3; ++i) c.run("bob", {i}, 44);
  auto& r = c.wait("alice").request;
  r.tasks = 60;
  r.cpus = 60;
  r.max_nodes.reset();
  EXPECT_TRUE(c.why().fit.fits_now);
  r.max_nodes = 2;
  auto v = c.why();
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
}

TEST(Placement, TasksAreNotSplit) {
  Cluster c(3);
  for (int i = 0; i < 3; ++i) c.run("bob", {i}, 54);
  auto& r = c.wait("alice").request;
  r.tasks = 3;
  r.cpus_per_task = 8;
  r.cpus = 24;
  r.max_nodes.reset();
  EXPECT_TRUE(c.why().fit.fits_now);
  r.tasks = 4;
  r.cpus = 32;
  EXPECT_FALSE(c.why().fit.fits_now);  // 10 CPUs a node hold one task of 8 each
}

TEST(Placement, TasksPerNodeHoldOnEachNode) {
  Cluster c(3);
  c.run("bob", {0}, 60);
  auto& r = c.wait("alice").request;
  r.min_nodes = r.tasks.emplace(2);
  r.max_nodes = 2;
  r.tasks = 16;
  r.tasks_per_node = 8;
  r.cpus = 16;
  auto v = c.why();
  EXPECT_EQ(v.fit.nodes, (std::vector<model::NodeId>{{1}, {2}}));
}

TEST(Placement, GpusForEachTask) {
  Cluster c(2);
  c.run("bob", {0}, 1, 5);
  c.run("bob", {1}, 1, 5);
  auto& r = c.wait("alice").request;
  r.gres_per_task.push_back({Symbol("gpu"), Symbol(), 2});
  r.tasks = 2;
  r.cpus = 2;
  r.max_nodes.reset();
  EXPECT_TRUE(c.why().fit.fits_now);
  r.tasks = 3;
  r.cpus = 3;
  auto v = c.why();
  EXPECT_FALSE(v.fit.fits_now);  // three GPUs a node hold one task of two each
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
}

TEST(Placement, ARangeOfNodesTakesTheLeastThatDo) {
  Cluster c(8);
  auto& r = c.wait("alice").request;
  r.min_nodes = 2;
  r.max_nodes = 6;
  r.tasks = 2;
  r.cpus = 2;
  auto v = c.why();
  EXPECT_THAT(v.fit.nodes, SizeIs(2));
  EXPECT_EQ(v.fit.nodes_passing, 8u);
  EXPECT_EQ(v.fit.nodes_needed, 2u);
}

TEST(Placement, NodeCountOfTheLastAttemptIsNotTheJobsOwn) {
  Cluster c(1);
  auto& r = c.wait("alice").request;
  r.min_nodes = 2;
  r.max_nodes.reset();
  r.totals.set(model::names::kNode, 1);
  EXPECT_TRUE(c.why().fit.fits_now);
}

TEST(Placement, NeighboursAndTopologyAreSaidToBeUntested) {
  Cluster c(4);
  c.set("TopologyPlugin", "topology/tree");
  auto& r = c.wait("alice").request;
  r.min_nodes = r.tasks.emplace(2);
  r.max_nodes = 2;
  r.cpus = 2;
  r.contiguous = true;
  auto v = c.why();
  EXPECT_TRUE(says(v.unsure, "neighbours"));
  EXPECT_TRUE(says(v.unsure, "topology/tree"));
}

}  // namespace
}  // namespace schedlens::diagnose
