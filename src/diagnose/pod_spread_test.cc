// SPDX-License-Identifier: Apache-2.0
// Topology spread as kube-scheduler 1.36.2 was seen to apply it.

#include <gtest/gtest.h>

#include "diagnose/test_pods.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using testing::kZone;
using testing::labels;
using testing::Pods;
using testing::selector;

TEST(PodSpreading, MinDomainsMakeTheMinimumZero) {
  Pods c(4);
  auto d = c.draft().labelled({{"app", "x"}});
  model::SpreadConstraint spread;
  spread.topology_key = kZone;
  spread.pods = selector({{"app", "x"}});
  spread.min_domains = 3;
  d.spec.spread.push_back(spread);
  c.run(0, d);
  c.run(1, d);
  EXPECT_EQ(c.head(c.wait(d)),
            "0/4 nodes are available: 4 node(s) didn't match pod topology spread constraints.");
  d.spec.spread[0].min_domains = 2;
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
}

Pods::Draft spread_over(Symbol key, int skew = 1) {
  auto d = Pods::draft().labelled({{"app", "x"}});
  model::SpreadConstraint spread;
  spread.topology_key = key;
  spread.pods = selector({{"app", "x"}});
  spread.max_skew = skew;
  d.spec.spread.push_back(spread);
  return d;
}

TEST(PodSpreading, FullerDomainsAreClosedAndAMissingLabelToo) {
  Pods c(5);
  auto d = spread_over(kZone);
  c.run(0, d);
  auto plain = c.run(2, c.draft().labelled({{"app", "x"}}).in("infer"));  // another namespace
  (void)plain;
  c.unlabel(4, kZone);
  for (int i : {1, 3}) c.run(i, c.draft().gpu(8));
  EXPECT_EQ(c.head(c.wait(spread_over(kZone).gpu(1))),
            "0/5 nodes are available: 1 node(s) didn't match pod topology spread constraints "
            "(missing required label), 2 Insufficient nvidia.com/gpu, 2 node(s) didn't match pod "
            "topology spread constraints.");
}

TEST(PodSpreading, TerminatingPodsAreNotCounted) {
  Pods c(2);
  auto surplus = c.run(0, spread_over(kZone));
  auto pod = c.wait(spread_over(kZone));
  EXPECT_FALSE(c.answer(pod).passes({0}));
  c.change_pod(surplus, [](auto& p) { p.deleting = Timestamp{Pods::kNow}; });
  EXPECT_TRUE(c.answer(pod).passes({0}));
}

TEST(PodSpreading, TaintedNodesCountUnlessThePolicyHonorsTaints) {
  Pods c(2);
  c.taint(1, "maintenance");
  c.run(0, spread_over(kZone));
  auto ignoring = spread_over(kZone);
  EXPECT_EQ(c.head(c.wait(ignoring)),  // spread_tainted: the tainted zone holds the minimum at 0
            "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 "
            "node(s) had untolerated taint(s).");
  auto honoring = spread_over(kZone);
  honoring.spec.spread[0].honor_node_taints = true;
  EXPECT_TRUE(c.answer(c.wait(honoring)).passes({0}));
}

TEST(PodSpreading, NodesThatAffinityExcludesCountOnlyIfThePolicyIgnoresIt) {
  Pods c(4);
  c.run(0, spread_over(kZone));
  auto d = spread_over(kZone);
  d.spec.node_selector = {{kZone, "a"}};
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));  // spread_affinity_policy
  d.spec.spread[0].honor_node_affinity = false;
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
}

TEST(PodSpreading, APodThatItsOwnSelectorMissesAddsNothing) {
  Pods c(2);
  c.run(0, c.draft().labelled({{"app", "x"}}));
  auto d = spread_over(kZone);
  d.pod.labels = labels({{"app", "y"}});
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
  d.spec.spread[0].pods.reset();  // no selector: nothing is counted
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
}

TEST(PodSpreading, MatchLabelKeysCompareThePodsOwnValues) {
  Pods c(2);
  auto old = spread_over(kZone);
  old.pod.labels = labels({{"app", "x"}, {"hash", "1"}});
  c.run(0, old);
  auto d = spread_over(kZone);
  d.pod.labels = labels({{"app", "x"}, {"hash", "2"}});
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
  d.spec.spread[0].match_label_keys = {Symbol("hash")};
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
}

TEST(PodSpreading, OnlyTheFirstConstraintThatFailsIsTold) {
  Pods c(2);
  c.run(0, spread_over(kZone));
  auto d = spread_over(kZone);
  model::SpreadConstraint other = d.spec.spread[0];
  other.topology_key = Symbol("absent");
  d.spec.spread.push_back(other);
  // No node carries both keys, so none is a domain; without a domain the minimum is 0.
  auto a = c.answer(c.wait(d));
  EXPECT_EQ(a.failed[0], PodReasons::of(PodReason::kSpreadLabelMissing));
  EXPECT_EQ(a.failed[1], PodReasons::of(PodReason::kSpreadLabelMissing));
}

}  // namespace
}  // namespace schedlens::diagnose
