// SPDX-License-Identifier: Apache-2.0
// Each filter as kube-scheduler 1.36.2 was seen to apply it, by the counts of its message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using model::LabelOperator;
using model::TaintEffect;
using ::testing::ElementsAre;
using testing::kHostname;
using testing::kRack;
using testing::Pods;
using testing::selector;
using testing::term;

const Symbol kCpu = model::names::kKubeCpu;

TEST(PodResources, TwoCausesOnOneNodeMakeTheSumExceedN) {
  Pods c;
  for (int i = 0; i < 4; ++i) c.run(i, c.draft().cpu(60).gpu(6));
  for (int i = 4; i < 8; ++i) c.run(i, c.draft().cpu(60));
  auto pod = c.wait(c.draft().cpu(16).gpu(4));
  EXPECT_EQ(c.head(pod),
            "0/8 nodes are available: 4 Insufficient nvidia.com/gpu, 8 Insufficient cpu.");
}

TEST(PodResources, CordonComesBeforeTaints) {
  Pods c(4);
  for (int i = 0; i < 4; ++i) c.cordon(i);
  c.taint(0, "maintenance");
  auto pod = c.wait(c.draft().cpu(1));
  EXPECT_EQ(c.head(pod), "0/4 nodes are available: 4 node(s) were unschedulable.");
  // Uncordoning takes the taint of the cordon away, so that is no obstacle of its own.
  EXPECT_EQ(c.answer(pod).failed[1], PodReasons::of(PodReason::kUnschedulable));
  EXPECT_EQ(c.answer(pod).failed[0],
            PodReasons::of(PodReason::kUnschedulable) | PodReasons::of(PodReason::kTaint));
  // Only a toleration of the cordon's own taint passes it.
  auto d = c.draft().cpu(1);
  d.spec.tolerations.push_back({Symbol("node.kubernetes.io/unschedulable"),
                                model::TolerationOperator::kExists, "", TaintEffect::kNone});
  EXPECT_EQ(c.answer(c.wait(d)).failed[1], PodReasons{});
}

TEST(PodTaints, TheTextNamesNoKeyAndPreferNeverFilters) {
  Pods c(3);
  c.taint(0, "team", "a");
  c.taint(1, "team", "b", TaintEffect::kNoExecute);
  c.taint(2, "team", "c", TaintEffect::kPreferNoSchedule);
  c.run(2, c.draft().gpu(8));
  auto d = c.draft().gpu(1);
  d.spec.tolerations.push_back(
      {Symbol("team"), model::TolerationOperator::kEqual, "x", TaintEffect::kNone});
  EXPECT_EQ(c.head(c.wait(d)),
            "0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) had untolerated "
            "taint(s).");
  d.spec.tolerations.push_back(
      {Symbol("team"), model::TolerationOperator::kEqual, "a", TaintEffect::kNoSchedule});
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
}

TEST(PodNodeAffinity, SelectorIsCaseSensitiveAndOperatorsAreTheApis) {
  Pods c(4);
  c.label(0, "Model", "A100");
  c.label(1, "rank", "7");
  c.label(2, "rank", "seven");
  auto d = c.draft();
  d.spec.node_selector = {{Symbol("Model"), "a100"}};
  EXPECT_EQ(c.head(c.wait(d)),
            "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.");

  auto by = [&](LabelOperator op, std::vector<std::string> values) {
    auto p = c.draft();
    p.spec.node_affinity.emplace();
    p.spec.node_affinity->push_back({{{Symbol("rank"), op, std::move(values)}}, {}});
    std::vector<int> nodes;
    auto a = c.answer(c.wait(p));
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (a.passes({i})) nodes.push_back(static_cast<int>(i));
    }
    return nodes;
  };
  EXPECT_THAT(by(LabelOperator::kLt, {"9"}), ElementsAre(1));  // affinity_lt_nonnumeric
  EXPECT_THAT(by(LabelOperator::kNotIn, {"7"}), ElementsAre(0, 2, 3));
  EXPECT_THAT(by(LabelOperator::kDoesNotExist, {}), ElementsAre(0, 3));
}

TEST(PodNodeAffinity, AnyTermSufficesAndNoTermMatchesNothing) {
  Pods c(4);
  auto d = c.draft();
  d.spec.node_affinity.emplace();
  EXPECT_EQ(c.head(c.wait(d)),
            "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.");
  d.spec.node_affinity->push_back({{}, {}});
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
  d.spec.node_affinity->push_back({{{kRack, LabelOperator::kIn, {"2"}}}, {}});
  auto a = c.answer(c.wait(d));
  EXPECT_TRUE(a.passes({2}));
  EXPECT_FALSE(a.passes({1}));
}

Pods::Draft for_node(std::vector<std::vector<std::string>> terms) {
  auto d = Pods::draft();
  d.spec.node_affinity.emplace();
  for (auto& names : terms) {
    d.spec.node_affinity->push_back({{}, {{Symbol("metadata.name"), LabelOperator::kIn, names}}});
  }
  return d;
}

TEST(PodNodeAffinity, NamedNodesLeaveTheOthersUnlooked) {
  Pods c;
  c.run(3, c.draft().gpu(8));
  c.cordon(5);
  EXPECT_EQ(c.head(c.wait(for_node({{"gpu-3"}}).gpu(1))),  // matchfields_full
            "0/8 nodes are available: 1 Insufficient nvidia.com/gpu, 7 node(s) didn't satisfy "
            "plugin(s) [NodeAffinity].");
  EXPECT_EQ(c.head(c.wait(for_node({{"absent"}}))),  // matchfields_missing
            "0/8 nodes are available: 8 node(s) didn't satisfy plugin(s) [NodeAffinity].");
  auto conflict = for_node({{"gpu-1"}});
  conflict.spec.node_affinity->front().fields.push_back(
      {Symbol("metadata.name"), LabelOperator::kIn, {"gpu-2"}});
  EXPECT_EQ(c.head(c.wait(conflict)), "0/8 nodes are available: pod affinity terms conflict.");
}

TEST(PodNodeAffinity, OneTermWithoutANameOpensAllNodes) {
  Pods c(4);
  auto d = for_node({{"gpu-3"}});
  d.spec.node_affinity->push_back({{{kRack, LabelOperator::kIn, {"0"}}}, {}});
  auto a = c.answer(c.wait(d));
  EXPECT_TRUE(a.passes({0}));
  EXPECT_FALSE(a.passes({1}));
  EXPECT_TRUE(a.passes({3}));
}

TEST(PodPorts, AddressesAndProtocolsTellPortsApart) {
  Pods c(3);
  auto with = [&](std::string ip, model::HostProtocol protocol = model::HostProtocol::kTcp) {
    auto d = c.draft();
    d.spec.host_ports.push_back({std::move(ip), protocol, 9000});
    return d;
  };
  c.run(0, with(""));
  c.run(1, with("10.0.0.1"));
  c.run(2, with("", model::HostProtocol::kUdp));
  auto a = c.answer(c.wait(with("10.0.0.2")));  // host_port_ip
  EXPECT_FALSE(a.passes({0}));
  EXPECT_TRUE(a.passes({1}));
  EXPECT_TRUE(a.passes({2}));
  a = c.answer(c.wait(with("0.0.0.0")));
  EXPECT_FALSE(a.passes({1}));
  c.run(2, with("0.0.0.0"));
  EXPECT_EQ(c.head(c.wait(with(""))),
            "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod "
            "ports.");
}

TEST(PodResources, PodsAreCountedEvenWithoutRequests) {
  Pods c(2);
  c.allocatable(0, model::names::kKubePods, 2);
  c.allocatable(1, model::names::kKubePods, 1);
  c.run(0, c.draft());
  c.run(0, c.draft());
  c.run(1, c.draft());
  EXPECT_EQ(c.head(c.wait(c.draft())), "0/2 nodes are available: 2 Too many pods.");
}

TEST(PodResources, AResourceThatNoNodeListsIsZero) {
  Pods c(2);
  EXPECT_EQ(c.head(c.wait(c.draft().ask(Symbol("nvidia.com/gpus"), 1))),  // gpu_typo
            "0/2 nodes are available: 2 Insufficient nvidia.com/gpus.");
  EXPECT_EQ(c.head(c.wait(c.draft().ask(Symbol("hugepages-2Mi"), 1))),
            "0/2 nodes are available: 2 Insufficient hugepages-2Mi.");
  // An unprefixed name that is not native is not looked at, nor is a request of nothing.
  EXPECT_TRUE(c.answer(c.wait(c.draft().ask(Symbol("gpu"), 1))).passes({0}));
  EXPECT_TRUE(c.answer(c.wait(c.draft().ask(Symbol("nvidia.com/gpus"), 0))).passes({0}));
}

TEST(PodResources, TerminatingPodsHoldTheirRoomAndFinishedOnesDoNot) {
  Pods c(1);
  auto ending = c.run(0, c.draft().gpu(8));
  auto pod = c.wait(c.draft().gpu(1));
  c.change_pod(ending, [](auto& p) { p.deleting = Timestamp{Pods::kNow}; });
  EXPECT_FALSE(c.answer(pod).passes({0}));  // terminating_holds
  c.change_pod(ending, [](auto& p) { p.phase = model::PodPhase::kSucceeded; });
  EXPECT_TRUE(c.answer(pod).passes({0}));  // terminal_not_counted
}

TEST(PodResources, AResizeUnderWayCountsInFull) {
  Pods c(1);
  auto d = c.draft().cpu(10);
  auto shrinking = c.run(0, d);
  c.change_pod(shrinking, [](auto& p) { p.request.set(kCpu, 60'000); });
  EXPECT_FALSE(c.answer(c.wait(c.draft().cpu(10))).passes({0}));
}

TEST(PodResources, HandPlacedPodsMayMakeFreeNegative) {
  Pods c(1);
  c.run(0, c.draft().gpu(12));
  auto a = c.answer(c.wait(c.draft().gpu(1)));
  EXPECT_FALSE(a.passes({0}));
  EXPECT_TRUE(c.answer(c.wait(c.draft().cpu(1))).passes({0}));
}

TEST(PodResources, APodOnANodeThatIsGoneIsNoNode) {
  Pods c(2);
  c.run(7, c.draft().gpu(8));
  c.run(0, c.draft().gpu(8));
  c.run(1, c.draft().gpu(8));
  EXPECT_EQ(c.head(c.wait(c.draft().gpu(1))),
            "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
}

TEST(PodNominees, ThoseOfAtLeastOurPriorityTakeRoom) {
  Pods c(2);
  c.run(0, c.draft().gpu(8));
  auto nominee = c.draft().gpu(8);
  nominee.pod.nominated_node = Symbol("gpu-1");
  nominee.pod.priority = 100;
  auto theirs = c.wait(nominee);
  auto mine = c.draft().gpu(1);
  mine.pod.priority = 100;
  auto equal = c.wait(mine);
  mine.pod.priority = 101;
  auto higher = c.wait(mine);
  EXPECT_EQ(c.head(equal), "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
  EXPECT_THAT(c.answer(equal).taken_by_nominees, ElementsAre(model::NodeId{1}));
  EXPECT_TRUE(c.answer(higher).passes({1}));
  EXPECT_TRUE(c.answer(theirs).passes({1}));  // its own nomination does not stand in its way
}

TEST(PodCounts, TextOrderAndFirstFailingFilter) {
  Pods c(12);
  for (int i = 0; i < 10; ++i) c.run(i, c.draft().gpu(8));
  for (int i = 8; i < 12; ++i) c.taint(i, "maintenance", "true");
  auto pod = c.wait(c.draft().gpu(1));
  EXPECT_EQ(c.head(pod),
            "0/12 nodes are available: 4 node(s) had untolerated taint(s), 8 Insufficient "
            "nvidia.com/gpu.");
  // All that fail: two of the tainted nodes are full besides.
  auto a = c.answer(pod);
  EXPECT_EQ(filters_of(a.failed[8]).size(), 2);
  EXPECT_EQ(filters_of(a.failed[11]).size(), 1);
  // A scheduler that is configured to ask for resources first.
  constexpr std::array kResourcesFirst = {PodFilter::kNodeResourcesFit,
                                          PodFilter::kTaintToleration};
  EXPECT_THAT(counts_as_scheduler(a, kResourcesFirst),
              ElementsAre(SchedulerCount{"Insufficient nvidia.com/gpu", 10},
                          SchedulerCount{"node(s) had untolerated taint(s)", 2}));
}

TEST(PodCounts, NoNodes) {
  Pods c(0);
  EXPECT_EQ(c.head(c.wait(c.draft())), "no nodes available to schedule pods");
}

TEST(PodLikeness, PodsThatFiltersTreatAlikeShareAKey) {
  Pods c(2);
  auto picky = c.draft();
  picky.spec.anti_affinity.push_back(term(selector({{"app", "noisy"}}), kHostname));
  c.run(0, picky);
  auto a = c.wait(c.draft().gpu(1).labelled({{"job", "1"}}));
  auto b = c.wait(c.draft().gpu(1).labelled({{"job", "2"}}));
  auto other = c.wait(c.draft().gpu(2));
  auto noisy = c.wait(c.draft().gpu(1).labelled({{"app", "noisy"}}));
  c.ready();
  PodEvaluation e(c.s);
  EXPECT_EQ(e.likeness(a), e.likeness(b));
  EXPECT_NE(e.likeness(a), e.likeness(other));
  EXPECT_NE(e.likeness(a), e.likeness(noisy));
}

}  // namespace
}  // namespace schedlens::diagnose
