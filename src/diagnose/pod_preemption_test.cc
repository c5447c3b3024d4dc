// SPDX-License-Identifier: Apache-2.0
#include "diagnose/pod_preemption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using model::WorkloadId;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Pods;

Pods::Draft ranked(std::int64_t gpus, std::int32_t priority) {
  auto d = Pods::draft().gpu(gpus).cpu(1);
  d.pod.priority = priority;
  return d;
}

struct Case : Pods {
  using Pods::Pods;
  void since(WorkloadId id, std::int64_t seconds) {
    s.workloads[id.index].start = Timestamp{kNow - seconds};
  }
  void budget(std::string_view app, std::int32_t allowed) {
    if (!k.disruption_budgets) k.disruption_budgets.emplace();
    k.disruption_budgets->push_back(
        {Symbol("default"), std::string(app), testing::selector({{"app", app}}), allowed});
  }
  PodPreemption found(WorkloadId id) {
    auto verdict = why(id);
    EXPECT_TRUE(verdict.preemption);
    return verdict.preemption.value_or(PodPreemption{});
  }
  WorkloadId urgent(std::int64_t gpus) { return wait(ranked(gpus, 100)); }
};

// 4 GPUs are asked for, and 8 of lower priority are held: what is most important stays.
TEST(PodPreemption, TheMoreImportantAreGivenBackFirst) {
  Case c(1);
  c.run(0, ranked(4, 10));
  const auto least = c.run(0, ranked(2, 1));
  const auto less = c.run(0, ranked(2, 5));
  const auto found = c.found(c.urgent(4));
  EXPECT_THAT(found.victims, ElementsAre(less, least)) << "the most important first";
  EXPECT_EQ(found.nodes, 1u);
}

// Of equals what has run for longer stays.
TEST(PodPreemption, WhatBeganLastEnds) {
  Case c(1);
  const auto young = c.run(0, ranked(4, 0));
  const auto old = c.run(0, ranked(4, 0));
  c.since(young, 60);
  c.since(old, 3600);
  EXPECT_THAT(c.found(c.urgent(4)).victims, ElementsAre(young));
}

TEST(PodPreemption, TheLowestOfTheHighestPrioritiesDecides) {
  Case c(2);
  c.run(0, ranked(8, 20));
  for (int i = 0; i < 4; ++i) c.run(1, ranked(2, 10));
  const auto found = c.found(c.urgent(8));
  EXPECT_EQ(found.node.index, 1u) << "four of 10 rather than one of 20";
  EXPECT_THAT(found.victims,
              ElementsAre(WorkloadId{1}, WorkloadId{2}, WorkloadId{3}, WorkloadId{4}));
  EXPECT_EQ(found.nodes, 2u);
  EXPECT_EQ(found.alike, 1u);
}

TEST(PodPreemption, ThenTheSumThenTheStart) {
  Case c(3);
  for (int i = 0; i < 2; ++i) c.run(0, ranked(4, 10));
  const auto young = c.run(1, ranked(8, 10));
  const auto old = c.run(2, ranked(8, 10));
  c.since(young, 60);
  c.since(old, 600);
  const auto found = c.found(c.urgent(8));
  EXPECT_THAT(found.victims, ElementsAre(young));
  EXPECT_EQ(found.nodes, 3u);
}

TEST(PodPreemption, NodesThatCostTheSame) {
  Case c(3);
  for (int i = 0; i < 3; ++i) c.run(i, ranked(8, i == 2 ? 50 : 10));
  const auto pod = c.urgent(8);
  EXPECT_EQ(c.found(pod).alike, 2u);
  EXPECT_THAT(c.why(pod).details,
              Contains(HasSubstr("It could do so on 3 nodes, of which 2 cost as little.")));
}

// A budget without anything to spare weighs more than priorities, and forbids nothing.
TEST(PodPreemption, DisruptionBudgets) {
  Case c(2);
  c.run(0, ranked(8, 0).labelled({{"app", "kept"}}));
  const auto other = c.run(1, ranked(8, 50));
  c.budget("kept", 0);
  const auto pod = c.urgent(8);
  EXPECT_THAT(c.found(pod).victims, ElementsAre(other));
  EXPECT_EQ(c.found(pod).budgets_broken, 0u);

  c.k.disruption_budgets->front().disruptions_allowed = 1;
  EXPECT_THAT(c.found(pod).victims, ElementsAre(WorkloadId{0}));

  c.k.disruption_budgets->front().disruptions_allowed = 0;
  c.cordon(1);
  EXPECT_THAT(c.found(pod).victims, ElementsAre(WorkloadId{0}));
  EXPECT_EQ(c.found(pod).budgets_broken, 1u);
  EXPECT_THAT(c.why(pod).details, Contains(HasSubstr("The disruption budget of 1 of them")));
}

// Whose budget would be broken comes back before the others, however important these are. Two of
// "kept" could end where one may: the budget is counted in the order of their importance.
TEST(PodPreemption, WhoseBudgetIsUsedUpComesBackFirst) {
  Case c(1);
  const auto first = c.run(0, ranked(2, 9).labelled({{"app", "kept"}}));
  const auto second = c.run(0, ranked(2, 1).labelled({{"app", "kept"}}));
  const auto free = c.run(0, ranked(4, 20));
  c.budget("kept", 1);
  // 6 of 8 are asked for: second (beyond the budget) comes back and stays, then free cannot, and
  // first cannot.
  const auto found = c.found(c.urgent(6));
  EXPECT_THAT(found.victims, ElementsAre(free, first));
  EXPECT_EQ(found.budgets_broken, 0u);
  (void)second;
}

TEST(PodPreemption, TheGraceOfTheVictims) {
  Case c(1);
  auto slow = ranked(4, 0), quick = ranked(4, 0);
  slow.spec.grace = Seconds{600};
  quick.spec.grace = Seconds{30};
  c.run(0, slow);
  c.run(0, quick);
  const auto pod = c.urgent(8);
  EXPECT_EQ(c.found(pod).grace, Seconds{600});
  EXPECT_THAT(c.why(pod).details, Contains(HasSubstr("which have 10m0s to end.")));
}

// Nobody's end on the node takes these out of the way.
TEST(PodPreemption, WhatItCannotCure) {
  Case c(4);
  for (int i = 0; i < 4; ++i) c.run(i, ranked(8, 0));
  c.cordon(0);
  c.taint(1, "team", "red");
  c.allocatable(2, testing::kGpuName, 4);
  auto d = ranked(8, 100);
  d.spec.node_selector = {{testing::kRack, "0"}};
  EXPECT_FALSE(c.why(c.wait(d)).preemption) << "gpu-0 is cordoned";
  d.spec.node_selector = {};
  EXPECT_EQ(c.found(c.wait(d)).node.index, 3u);
  EXPECT_EQ(c.found(c.wait(d)).nodes, 1u);
}

// Anti-affinity against a pod of lower priority on the node itself, and against one of the same
// rack: the latter stays.
TEST(PodPreemption, AntiAffinity) {
  for (const bool by_rack : {false, true}) {
    Case c(by_rack ? 5 : 1);
    const auto lesser = ranked(1, 0).labelled({{"app", "x"}});
    c.run(0, lesser);
    if (by_rack) c.run(4, ranked(1, 0).labelled({{"app", "x"}}));
    auto d = ranked(1, 100);
    d.spec.node_selector = {{testing::kRack, "0"}};
    d.spec.anti_affinity = {testing::term(testing::selector({{"app", "x"}}),
                                          by_rack ? testing::kRack : testing::kHostname)};
    const auto verdict = c.why(c.wait(d));
    EXPECT_EQ(verdict.preemption.has_value(), !by_rack);
    EXPECT_EQ(verdict.hole.has_value(), !by_rack);
  }
}

// Another's anti-affinity goes with it, and two of that kind must both go.
TEST(PodPreemption, AntiAffinityOfOthers) {
  Case c(1);
  auto shy = ranked(1, 0);
  shy.spec.anti_affinity = {testing::term(testing::selector({{"app", "x"}}), testing::kHostname)};
  const auto a = c.run(0, shy);
  const auto b = c.run(0, shy);
  c.run(0, ranked(1, 0));
  auto d = ranked(1, 100).labelled({{"app", "x"}});
  const auto pod = c.wait(d);
  EXPECT_THAT(c.head(pod), HasSubstr("1 node(s) didn't satisfy existing pods anti-affinity rules"));
  EXPECT_THAT(c.found(pod).victims, ElementsAre(a, b));
}

// The pod has to run beside one of lower priority, which therefore stays.
TEST(PodPreemption, AffinityToALesserPod) {
  Case c(1);
  const auto beside = c.run(0, ranked(1, 0).labelled({{"app", "cache"}}));
  const auto other = c.run(0, ranked(7, 50));
  auto d = ranked(4, 100);
  d.spec.affinity = {testing::term(testing::selector({{"app", "cache"}}), testing::kHostname)};
  EXPECT_FALSE(c.why(c.wait(d)).preemption) << "without all lesser ones it has nobody to be beside";
  (void)other;
  c.change_pod(beside, [](model::Pod& p) { p.priority = 100; });
  EXPECT_THAT(c.found(c.wait(d)).victims, ElementsAre(other));
}

// Two of "web" are in zone a and none in zone b, which is full of others' higher priorities: one of
// zone a must go for the skew of 1, and it is counted there no more.
TEST(PodPreemption, Spread) {
  Case c(2);
  const auto old = c.run(0, ranked(1, 0).labelled({{"app", "web"}}));
  const auto young = c.run(0, ranked(1, 0).labelled({{"app", "web"}}));
  c.since(old, 600);
  c.since(young, 60);
  c.run(1, ranked(8, 100));
  auto d = ranked(1, 100).labelled({{"app", "web"}});
  model::SpreadConstraint spread;
  spread.max_skew = 2;
  spread.topology_key = testing::kZone;
  spread.pods = testing::selector({{"app", "web"}});
  d.spec.spread = {spread};
  const auto found = c.found(c.wait(d));
  EXPECT_THAT(found.victims, ElementsAre(young));
}

TEST(PodPreemption, HostPorts) {
  Case c(1);
  auto server = ranked(1, 0);
  server.spec.host_ports = {{"", model::HostProtocol::kTcp, 8080}};
  const auto holder = c.run(0, server);
  c.run(0, ranked(1, 0));
  auto d = ranked(1, 100);
  d.spec.host_ports = server.spec.host_ports;
  EXPECT_THAT(c.found(c.wait(d)).victims, ElementsAre(holder));
}

// Room that is promised to one of higher priority is not made for this one.
TEST(PodPreemption, ANomineeKeepsItsRoom) {
  Case c(1);
  c.run(0, ranked(4, 0));
  c.run(0, ranked(4, 0));
  auto first = ranked(4, 200);
  first.pod.nominated_node = Symbol("gpu-0");
  c.wait(first);
  EXPECT_EQ(c.found(c.urgent(4)).victims.size(), 2u) << "4 for each of the two";
  EXPECT_FALSE(c.why(c.urgent(5)).preemption);
}

TEST(PodPreemption, AClaimForOnePod) {
  Case c(2);
  c.volume_claim("scratch", "disk").read_write_once_pod = true;
  c.volume("disk");
  const auto user = c.run(0, ranked(1, 0).claim("scratch"));
  const auto found = c.found(c.wait(ranked(1, 100).claim("scratch")));
  EXPECT_THAT(found.victims, ElementsAre(user));
  EXPECT_EQ(found.nodes, 1u);
}

}  // namespace
}  // namespace schedlens::diagnose
