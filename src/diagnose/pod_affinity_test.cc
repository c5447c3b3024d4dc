// SPDX-License-Identifier: Apache-2.0
// Affinity between pods as kube-scheduler 1.36.2 was seen to apply it.

#include <gtest/gtest.h>

#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using testing::kHostname;
using testing::kRack;
using testing::kZone;
using testing::labels;
using testing::Pods;
using testing::selector;
using testing::term;

TEST(PodInterAffinity, TheFirstOfItsKindMayStartWhereTheKeyIs) {
  Pods c(3);
  auto d = c.draft().labelled({{"app", "x"}});
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), kRack));
  c.unlabel(2, kRack);
  auto pod = c.wait(d);
  auto a = c.answer(pod);
  EXPECT_TRUE(a.passes({0}));
  EXPECT_TRUE(a.passes({1}));
  EXPECT_FALSE(a.passes({2}));
  c.run(1, d);
  a = c.answer(pod);
  EXPECT_FALSE(a.passes({0}));
  EXPECT_TRUE(a.passes({1}));
}

TEST(PodInterAffinity, SelfAffinityNeedsTheKey) {
  Pods c(2);
  auto d = c.draft().labelled({{"app", "x"}});
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), Symbol("nvlink")));
  EXPECT_EQ(c.head(c.wait(d)),  // affinity_self_nokey
            "0/2 nodes are available: 2 node(s) didn't match pod affinity rules.");
}

TEST(PodInterAffinity, ANeighbourMustMatchAllTermsAtOnce) {
  Pods c(4);
  auto d = c.draft();
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), kZone));
  d.spec.affinity.push_back(term(selector({{"tier", "db"}}), kZone));
  c.run(0, c.draft().labelled({{"app", "x"}}));
  c.run(2, c.draft().labelled({{"tier", "db"}}));
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
  c.run(0, c.draft().labelled({{"app", "x"}, {"tier", "db"}}));
  auto a = c.answer(c.wait(d));
  EXPECT_TRUE(a.passes({0}));
  EXPECT_TRUE(a.passes({2}));  // the same zone
  EXPECT_FALSE(a.passes({1}));
}

TEST(PodInterAffinity, OwnAntiAffinity) {
  Pods c(4);
  auto d = c.draft().labelled({{"app", "x"}});
  d.spec.anti_affinity.push_back(term(selector({{"app", "x"}}), kZone));
  c.run(0, c.draft().labelled({{"app", "x"}}));
  c.run(1, c.draft().labelled({{"app", "x"}}).in("infer"));  // not our namespace
  c.unlabel(2, kZone);
  auto a = c.answer(c.wait(d));
  EXPECT_EQ(a.failed[0], PodReasons::of(PodReason::kPodAntiAffinity));
  EXPECT_TRUE(a.passes({1}));
  EXPECT_TRUE(a.passes({2}));  // without the key it is in no domain
  EXPECT_TRUE(a.passes({3}));
}

TEST(PodInterAffinity, ExistingPodsAntiAffinityHitsPodsWithoutTerms) {
  Pods c(4);
  auto picky = c.draft();
  picky.spec.anti_affinity.push_back(term(selector({{"app", "noisy"}}), kZone));
  c.run(0, picky);
  auto hit = c.wait(c.draft().labelled({{"app", "noisy"}}));
  auto other = c.wait(c.draft().labelled({{"app", "quiet"}}));
  auto elsewhere = c.wait(c.draft().labelled({{"app", "noisy"}}).in("train"));
  auto a = c.answer(hit);
  EXPECT_EQ(a.failed[2], PodReasons::of(PodReason::kExistingAntiAffinity));
  EXPECT_TRUE(a.passes({1}));
  EXPECT_TRUE(c.answer(other).passes({0}));
  EXPECT_TRUE(c.answer(elsewhere).passes({0}));
  for (int i : {1, 3}) c.taint(i, "t");
  EXPECT_EQ(c.head(hit),  // anti_existing
            "0/4 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules, "
            "2 node(s) had untolerated taint(s).");
}

TEST(PodInterAffinity, NamespacesByListAndByLabel) {
  Pods c(2);
  c.add_namespace("prod", labels({{"env", "prod"}}));
  c.run(0, c.draft().labelled({{"app", "x"}}).in("prod"));
  auto d = c.draft();
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), kHostname));
  auto& t = d.spec.affinity[0];
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
  t.namespaces = {Symbol("prod")};
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
  t.namespaces.clear();
  t.namespace_selector = selector({{"env", "prod"}});
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
  t.namespace_selector = selector({{"env", "dev"}});
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
  t.namespace_selector = model::LabelSelector{};  // every namespace
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
  t.pods.reset();  // no pod
  EXPECT_FALSE(c.answer(c.wait(d)).passes({0}));
}

TEST(PodInterAffinity, NamespacesThatWereNotReadAreUnknownNotNone) {
  Pods c(2);
  c.run(0, c.draft().labelled({{"app", "x"}}).in("prod"));
  auto d = c.draft();
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), kHostname));
  d.spec.affinity[0].namespace_selector = selector({{"env", "prod"}});
  c.k.namespaces.reset();
  auto a = c.answer(c.wait(d));
  EXPECT_TRUE(a.may_pass({0}));
  EXPECT_FALSE(a.passes({0}));
  EXPECT_FALSE(a.unknown_why.empty());
  d.spec.affinity[0].namespace_selector = model::LabelSelector{};
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));  // every namespace needs no labels
}

TEST(PodInterAffinity, TerminatingNeighboursCount) {
  Pods c(2);
  auto there = c.run(0, c.draft().labelled({{"app", "x"}}));
  c.change_pod(there, [](auto& p) { p.deleting = Timestamp{Pods::kNow}; });
  auto d = c.draft();
  d.spec.affinity.push_back(term(selector({{"app", "x"}}), kHostname));
  EXPECT_TRUE(c.answer(c.wait(d)).passes({0}));
}

}  // namespace
}  // namespace schedlens::diagnose
