// SPDX-License-Identifier: Apache-2.0
#include "diagnose/efficiency.h"

#include <gmock/gmock.h>

#include "diagnose/test_cluster.h"
#include "diagnose/test_usage.h"

namespace schedlens::diagnose {
namespace {

using testing::Cluster;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using Findings = std::vector<EfficiencyFinding>;

Findings look(model::Snapshot& s, const UsageReport& usage = {}) {
  s.build_index();
  std::vector<RootCause> causes(s.workloads.size(), RootCause::kLimit);
  return efficiency_findings(s, gpu_ledger(s, fragmentation(s), causes), usage);
}

Findings only(const Findings& all, EfficiencyKind kind) {
  Findings some;
  for (const auto& f : all) {
    if (f.kind == kind) some.push_back(f);
  }
  return some;
}

// A job that has run for two hours on nodes of such a load each.
model::Workload& run(Cluster& c, std::vector<int> on, std::uint32_t cpus, int gpus, double load,
                     Bytes memory = gib(1)) {
  auto& w = c.run("alice", on, cpus, gpus, memory);
  w.start = Timestamp{kNow - 7200};
  for (int i : on) {
    c.node(i).cpu_load = load;
    c.node(i).memory_free = c.node(i).memory - gib(1);
  }
  return w;
}

TEST(Efficiency, AJobAloneOnItsNodesIsHeldToTheirLoad) {
  Cluster c;
  run(c, {0, 1}, 32, 4, 5.5);
  const auto found = only(look(c.s), EfficiencyKind::kUnusedCpus);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cpus, 53.0);
  EXPECT_EQ(found[0].nodes.size(), 2u);
  EXPECT_TRUE(found[0].exact);
  EXPECT_EQ(found[0].text,
            "1 holds 64 CPUs of 2 nodes alone, whose load is 11.0: 53.0 CPUs are "
            "not used.");
}

TEST(Efficiency, OfJobsThatShareANodeNobodyKnowsWhich) {
  Cluster c;
  run(c, {0}, 16, 2, 0);
  run(c, {0}, 16, 2, 4);
  const auto found = only(look(c.s), EfficiencyKind::kUnusedCpus);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].exact);
  EXPECT_EQ(found[0].workloads.size(), 2u);
  EXPECT_EQ(found[0].cpus, 28.0);
}

TEST(Efficiency, ABusyNodeOrASmallRestIsNoFinding) {
  Cluster c;
  run(c, {0}, 32, 4, 20);
  run(c, {1}, 4, 4, 1);
  EXPECT_THAT(look(c.s), IsEmpty());
}

TEST(Efficiency, AJobThatHasJustStartedIsLeftAlone) {
  Cluster c;
  run(c, {0}, 32, 8, 0.5).start = Timestamp{kNow - 60};
  EXPECT_THAT(look(c.s), IsEmpty());
}

TEST(Efficiency, ALongJobWhoseNodesDoNothingIsStalled) {
  Cluster c;
  run(c, {0, 1}, 32, 8, 0.03);
  const auto found = look(c.s);
  ASSERT_EQ(found.size(), 1u) << "its CPUs are not told again";
  EXPECT_EQ(found[0].kind, EfficiencyKind::kStalled);
  EXPECT_EQ(found[0].gpus, 16u);
  EXPECT_THAT(found[0].text, HasSubstr("1 has run for 2h0m and holds 16 GPUs and 64 CPUs"));

  c.node(1).cpu_load = 12;
  EXPECT_THAT(only(look(c.s), EfficiencyKind::kStalled), IsEmpty()) << "one of them works";
  c.node(1).cpu_load.reset();
  EXPECT_THAT(only(look(c.s), EfficiencyKind::kStalled), IsEmpty()) << "nobody knows";
}

TEST(Efficiency, MemoryIsJudgedByWhatIsSurelyFree) {
  Cluster c;
  run(c, {0}, 8, 8, 8, gib(800));
  auto found = look(c.s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, EfficiencyKind::kUnusedMemory);
  EXPECT_EQ(found[0].memory, gib(799));
  c.node(0).memory_free = gib(300);  // the rest may be cache, or in use
  EXPECT_THAT(look(c.s), IsEmpty());
}

TEST(Efficiency, StrandedGpusNameWhatWouldComeClosest) {
  Cluster c(1);
  c.run("alice", {0}, 64, 4);
  auto& w = c.wait("bob", 2);
  w.request.cpus = 8;
  const auto found = look(c.s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, EfficiencyKind::kStranded);
  EXPECT_EQ(found[0].gpus, 4u);
  EXPECT_EQ(found[0].text,
            "4 GPUs free on n0 serve nothing that waits: the CPUs beside them are too few. "
            "Closest: 2 gpu, 8 cpu, 1 GiB (1 waiting in main).");
}

TEST(Efficiency, WhatFitsAndIsKeptFromStartingIsNamed) {
  Cluster c(1);
  c.wait("bob", 2);
  const auto found = look(c.s);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text,
            "2 GPUs free on n0 could hold 1 waiting workload, 1 first, kept from starting by: "
            "limit.");
}

TEST(Efficiency, OfPodsTheirOwnMeasuredUseCounts) {
  auto c = testing::sample_usage();
  const auto report = c.report();
  const auto found = look(c.s, report);
  const auto idle = only(found, EfficiencyKind::kIdleGpus);
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_EQ(idle[0].gpus, 4u);
  const auto cpus = only(found, EfficiencyKind::kUnusedCpus);
  ASSERT_EQ(cpus.size(), 1u);
  EXPECT_THAT(cpus[0].text, HasSubstr("Job train/llm requests 16.0 CPUs with 1 pod that is "
                                      "measured, and uses 0.2 CPUs"));
}

TEST(Efficiency, APodWithGpusThatUsesNoCpuForLongIsStalled) {
  testing::Measured c;
  const auto id = c.pod("train", 8, 2);
  c.uses(id, 0.01);
  c.s.workloads[id.index].start = Timestamp{kNow - 7200};
  const auto report = c.report();
  const auto found = only(look(c.s, report), EfficiencyKind::kStalled);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].gpus, 2u);
}

}  // namespace
}  // namespace schedlens::diagnose
