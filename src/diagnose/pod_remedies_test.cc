// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/remedies.h"
#include "diagnose/test_pods.h"

namespace schedlens::diagnose {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kGpuName;
using testing::kRack;
using testing::labels;
using testing::Pods;
using testing::selector;

std::vector<Remedy> remedies(Pods& p, model::WorkloadId id) {
  const auto verdict = p.why(id);
  Explainer explainer(p.s);
  return find_remedies(p.s, explainer, verdict);
}

std::vector<std::string> commands(const std::vector<Remedy>& remedies) {
  std::vector<std::string> all;
  for (const auto& r : remedies) all.push_back(r.command);
  return all;
}

std::string made_anew(const std::string& pod, const std::string& filter) {
  return "kubectl get pod -n default " + pod + " -o json | jq '" + filter +
         " | del(.metadata.uid, .metadata.resourceVersion, .status) | del(.spec.nodeName)' | "
         "kubectl "
         "replace --force -f -";
}

TEST(PodRemedies, GatesAreOpened) {
  Pods p;
  auto d = Pods::draft().gpu(1);
  d.pod.gates = {Symbol("example.com/quota")};
  const auto found = remedies(p, p.wait(d));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].command,
            R"(kubectl patch pod -n default pod-0 --type=json -p '[{"op": "remove", "path": )"
            R"("/spec/schedulingGates"}]')");
  EXPECT_THAT(found[0].effect, HasSubstr("example.com/quota"));
}

TEST(PodRemedies, ASleeperIsWoken) {
  Pods p(1);
  const auto id = p.wait(Pods::draft().gpu(1));
  p.scheduler_says(id, "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", 120);
  const auto found = remedies(p, id);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, RemedyKind::kWake);
  EXPECT_EQ(found[0].command,
            "kubectl taint nodes gpu-0 schedlens/wake=:PreferNoSchedule\n"
            "kubectl taint nodes gpu-0 schedlens/wake:PreferNoSchedule-");
}

// Whatever room is made, another pod that waits for it may be the one to get it.
TEST(PodRemedies, RoomThatOthersMayTakeIsInTurn) {
  const auto starts = [](int nodes, std::int32_t others_priority, std::uint64_t others_gpus) {
    Pods p(nodes);
    for (int i = 0; i < nodes; ++i) p.run(i, Pods::draft().gpu(8));
    auto other = Pods::draft().gpu(others_gpus);
    other.pod.priority = others_priority;
    p.wait(other);
    auto mine = Pods::draft().gpu(8);
    mine.pod.priority = 100;
    const auto found = remedies(p, p.wait(mine));
    return found.empty() ? std::nullopt : std::optional(found.front().starts);
  };
  EXPECT_EQ(starts(1, 1000, 4), Starts::kInTurn);
  EXPECT_EQ(starts(1, 100, 4), Starts::kInTurn) << "of equals nobody knows which is first";
  EXPECT_EQ(starts(1, 10, 4), Starts::kNow);
  EXPECT_EQ(starts(1, 1000, 9), Starts::kNow) << "it does not fit";
}

TEST(PodRemedies, ACordonIsLifted) {
  Pods p(2);
  p.run(0, Pods::draft().gpu(8));
  p.cordon(1);
  const auto found = remedies(p, p.wait(Pods::draft().gpu(8)));
  EXPECT_THAT(commands(found), Contains("kubectl uncordon gpu-1"));
  EXPECT_FALSE(delays_known(p.s, found.front()));
}

TEST(PodRemedies, ATaintIsToleratedOrTakenOff) {
  Pods p(2);
  p.run(0, Pods::draft().gpu(8));
  p.taint(1, "team", "red");
  const auto found = remedies(p, p.wait(Pods::draft().gpu(8)));
  EXPECT_THAT(
      commands(found),
      Contains(made_anew("pod-1", R"(.spec.tolerations += [{"key": "team", "operator": "Equal", )"
                                  R"("value": "red", "effect": "NoSchedule"}])")));
  EXPECT_THAT(commands(found), Contains("kubectl taint nodes gpu-1 team=red:NoSchedule-"));
  EXPECT_EQ(found.front().who, Actor::kUser);
}

TEST(PodRemedies, ASickNodesTaintIsNotTakenOff) {
  Pods p(1);
  p.taint(0, "node.kubernetes.io/not-ready");
  EXPECT_THAT(remedies(p, p.wait(Pods::draft().gpu(8))), IsEmpty());
}

TEST(PodRemedies, ASelectorIsDroppedOrServed) {
  Pods p(1);
  auto d = Pods::draft().gpu(1);
  d.spec.node_selector = {{Symbol("gpu"), "a100"}};
  const auto found = remedies(p, p.wait(d));
  EXPECT_THAT(commands(found), Contains(made_anew("pod-0", "del(.spec.nodeSelector)")));
}

TEST(PodRemedies, WhatADeploymentMadeIsChangedThere) {
  Pods p(2);
  p.run(0, Pods::draft().gpu(8));
  p.taint(1, "team", "red");
  auto d = Pods::draft().gpu(8);
  d.pod.owner = model::OwnerReference{Symbol("ReplicaSet"), "web-abc", "uid-rs"};
  model::Controller rs, deployment;
  rs.kind = Symbol("ReplicaSet");
  rs.ns = deployment.ns = Symbol("default");
  rs.name = "web-abc";
  rs.uid = "uid-rs";
  rs.owner = model::OwnerReference{Symbol("Deployment"), "web", "uid-d"};
  deployment.kind = Symbol("Deployment");
  deployment.name = "web";
  deployment.uid = "uid-d";
  *p.k.controllers = {rs, deployment};
  const auto found = remedies(p, p.wait(d));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].command, HasSubstr("kubectl get deployment -n default web -o json"));
  EXPECT_THAT(found[0].command, HasSubstr(".spec.template.spec.tolerations +="));
  EXPECT_THAT(found[0].command, HasSubstr("| kubectl replace -f -"));
}

TEST(PodRemedies, ThePodsInTheWayAreTheFewest) {
  Pods p(2);
  for (int i = 0; i < 4; ++i) p.run(0, Pods::draft().gpu(2));
  p.run(1, Pods::draft().gpu(5));
  p.run(1, Pods::draft().gpu(3));
  const auto found = remedies(p, p.wait(Pods::draft().gpu(4)));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(commands(found), Contains("kubectl delete pod -n default pod-4"));
  EXPECT_THAT(found.back().ends, ElementsAre(model::WorkloadId{4}));
}

TEST(PodRemedies, WhereTheHoleIsSmallerThePodMayBe) {
  Pods p(1);
  p.run(0, Pods::draft().gpu(5));
  const auto found = remedies(p, p.wait(Pods::draft().gpu(8)));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, RemedyKind::kSmallerRequest);
  EXPECT_THAT(found[0].command, HasSubstr(R"(= "3")"));
}

TEST(PodRemedies, ASpreadBecomesAWish) {
  Pods p(2);
  p.run(0, Pods::draft().gpu(1).labelled({{"app", "x"}}));
  p.cordon(1);
  auto d = Pods::draft().gpu(1).labelled({{"app", "x"}});
  model::SpreadConstraint spread;
  spread.topology_key = testing::kHostname;
  spread.pods = selector({{"app", "x"}});
  spread.min_domains = 2;
  d.spec.spread = {spread};
  const auto found = remedies(p, p.wait(d));
  // A wish may not have minDomains.
  EXPECT_THAT(commands(found), Contains(HasSubstr("|= (del(.minDomains) | .whenUnsatisfiable = ")));
}

TEST(PodRemedies, WhereSeveralContainersHaveDevicesNoneIsToldToHaveFewer) {
  Pods p(1);
  p.run(0, Pods::draft().gpu(5));
  auto d = Pods::draft().gpu(8);
  d.spec.terms.push_back({kGpuName, model::RequestPart::kContainers, "", 0, 2});
  for (const auto& r : remedies(p, p.wait(d))) EXPECT_NE(r.kind, RemedyKind::kSmallerRequest);
}

TEST(PodRemedies, AntiAffinityIsDroppedWhereItAloneIsInTheWay) {
  Pods p(1);
  p.run(0, Pods::draft().gpu(1).labelled({{"app", "x"}}));
  auto d = Pods::draft().gpu(1).labelled({{"app", "x"}});
  d.spec.anti_affinity = {testing::term(selector({{"app", "x"}}), kRack)};
  const auto found = remedies(p, p.wait(d));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].command, HasSubstr("del(.spec.affinity.podAntiAffinity."));
}

}  // namespace
}  // namespace schedlens::diagnose
