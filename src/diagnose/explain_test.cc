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
  w.eligible = Timestamp{kNow + 7200};
  auto v = c.why();
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

}  // namespace
}  // namespace schedlens::diagnose
