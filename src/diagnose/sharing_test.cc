// SPDX-License-Identifier: Apache-2.0
// Partitions that let jobs share CPUs (OverSubscribe) and GPUs that are given in shares.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_cluster.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::constraint;
using testing::says;
using ::testing::SizeIs;

// One node in three partitions: "main" without sharing, "force" and "ask" with two jobs to a CPU.
struct SharedCluster : Cluster {
  SharedCluster() : Cluster(1) {
    auto& force = add_queue("force", {0});
    force.oversubscribe_force = true;
    force.jobs_per_cpu = 2;
    add_queue("ask", {0}).jobs_per_cpu = 2;
  }
  // Jobs that share take CPUs of the node only where nobody was before.
  void running(std::string_view queue, std::uint32_t cpus, std::uint32_t of_them_new) {
    auto& w = run("bob", {0}, of_them_new);
    w.queues = {Symbol(queue)};
    w.allocation.totals.set(model::names::kCpu, cpus);
  }
  Verdict waiting(std::string_view queue, std::uint32_t cpus, bool asks = false) {
    auto& w = wait();
    w.queues = {Symbol(queue)};
    w.request.cpus = cpus;
    w.request.cpus_per_task = cpus;
    if (asks) w.request.sharing = model::Sharing::kOversubscribe;
    return why();
  }
  void forget() { s.workloads.resize(s.workloads.size() - 1); }
};

// As on a real cluster: 40 and 40 of 64 CPUs in two rows leave 24 in each.
TEST(Sharing, EachRowOfCpusIsFilledByItself) {
  SharedCluster c;
  c.running("force", 40, 40);
  EXPECT_TRUE(c.waiting("force", 64).fit.fits_now);
  c.forget();
  c.running("force", 40, 0);
  EXPECT_TRUE(c.waiting("force", 24).fit.fits_now);
  c.forget();
  auto v = c.waiting("force", 25);
  EXPECT_EQ(v.cause, RootCause::kCapacity);
  EXPECT_THAT(constraint(v, "cpus").only, SizeIs(1));
  EXPECT_TRUE(says(v.unsure, "which CPUs the jobs use that share them"));
}

TEST(Sharing, JobsThatFillOneRowLeaveTheNextWhole) {
  SharedCluster c;
  c.running("force", 32, 32);
  c.running("force", 32, 32);
  EXPECT_TRUE(c.waiting("force", 64).fit.fits_now);
  c.forget();
  c.running("force", 64, 0);
  EXPECT_FALSE(c.waiting("force", 1).fit.fits_now);
}

TEST(Sharing, OnlyThoseWhoAskShareWhereTheyMust) {
  SharedCluster c;
  c.running("ask", 40, 40);
  c.s.workloads.back().request.sharing = model::Sharing::kOversubscribe;
  EXPECT_TRUE(c.waiting("ask", 40, true).fit.fits_now);
  c.forget();
  EXPECT_FALSE(c.waiting("ask", 40).fit.fits_now);
  c.forget();
  EXPECT_TRUE(c.waiting("ask", 4).fit.fits_now);
  c.forget();
  auto v = c.waiting("main", 4);
  EXPECT_EQ(v.cause, RootCause::kFragmentation);
  EXPECT_THAT(constraint(v, "oversubscribe").only, SizeIs(1));
}

TEST(Sharing, SharersDoNotJoinJobsThatDoNot) {
  SharedCluster c;
  c.running("main", 4, 4);
  EXPECT_FALSE(c.waiting("force", 4).fit.fits_now);
  c.forget();
  EXPECT_FALSE(c.waiting("ask", 4, true).fit.fits_now);
  c.forget();
  EXPECT_TRUE(c.waiting("ask", 4).fit.fits_now);
}

TEST(Sharing, MemoryAndGpusAreNotShared) {
  SharedCluster c;
  c.running("force", 8, 8);
  c.node(0).memory_allocated = testing::gib(999);
  *c.node(0).gres[0].used = 8;
  EXPECT_TRUE(c.waiting("force", 64).fit.fits_now);
  c.s.workloads.back().request.memory = testing::gib(2);
  EXPECT_THAT(constraint(c.why(), "memory").only, SizeIs(1));
  c.wait("alice", 1).queues = {Symbol("force")};
  EXPECT_THAT(constraint(c.why(), "gres/gpu").only, SizeIs(1));
}

TEST(Sharing, RoomGivenToOthersAheadIsTakenRowByRow) {
  SharedCluster c;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(c.waiting("force", 40).fit.fits_now);
  auto v = c.why();
  EXPECT_EQ(v.cause, RootCause::kPriority);
  EXPECT_EQ(c.why(1).cause, RootCause::kNotConsidered);
}

// Four shares to a GPU, two GPUs in all.
struct ShareCluster : Cluster {
  ShareCluster() : Cluster(1) {
    node(0).gres[0].total = 2;
    node(0).gres.push_back({Symbol("shard"), Symbol(), 8, 0, {}, ""});
  }
  Verdict asking(std::string_view name, std::uint64_t count) {
    wait().request.gres_per_node.push_back({Symbol(name), Symbol(), count});
    return why();
  }
};

TEST(Sharing, AGpuIsGivenWholeOrInShares) {
  ShareCluster c;
  c.node(0).gres[1].used = 1;
  EXPECT_TRUE(c.asking("gpu", 1).fit.fits_now);
  auto v = c.asking("gpu", 2);
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_EQ(v.gpus.free, 1u);
  c.node(0).gres[1].used = 2;
  c.node(0).gres[1].used_indexes = {0, 1};
  EXPECT_FALSE(c.asking("gpu", 1).fit.fits_now);
}

// Slurm's list of what is used names GPUs in shares, and they count as used GPUs from then on.
TEST(Sharing, AGpuInSharesThatCountsAsUsedCountsOnce) {
  ShareCluster c;
  c.node(0).gres[1].used = 1;
  c.node(0).gres[1].used_indexes = {0};
  c.node(0).gres[0].used = 1;
  c.node(0).gres[0].used_indexes = {0};
  EXPECT_TRUE(c.asking("gpu", 1).fit.fits_now);
  EXPECT_FALSE(c.asking("gpu", 2).fit.fits_now);
  EXPECT_TRUE(c.asking("shard", 4).fit.fits_now);
}

TEST(Sharing, SharesOfAGpuThatIsTakenAreGone) {
  ShareCluster c;
  c.node(0).gres[0].used = 1;
  EXPECT_TRUE(c.asking("shard", 4).fit.fits_now);
  c.node(0).gres[0].used = 2;
  auto v = c.asking("shard", 1);
  EXPECT_FALSE(v.fit.fits_now);
  EXPECT_NE(v.cause, RootCause::kImpossible);
  EXPECT_TRUE(says(v.unsure, "all its shares must be of one GPU"));
}

TEST(Sharing, AJobHasItsSharesOfOneGpu) {
  ShareCluster c;
  EXPECT_EQ(c.asking("shard", 5).cause, RootCause::kImpossible);
}

}  // namespace
}  // namespace schedlens::diagnose
