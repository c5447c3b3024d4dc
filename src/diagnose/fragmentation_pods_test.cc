// SPDX-License-Identifier: Apache-2.0
// Free GPUs of a Kubernetes cluster: what keeps pods off nodes counts.
#include "diagnose/fragmentation_pods.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "diagnose/fragmentation.h"
#include "diagnose/test_fleet.h"
#include "diagnose/test_pods.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::diagnose {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Draft = diagnose::testing::Pods::Draft;
using diagnose::testing::Fleet;
using diagnose::testing::kAmdName;
using diagnose::testing::kGiB;
using diagnose::testing::kGpuName;
using diagnose::testing::kHostname;
using diagnose::testing::kZone;

std::uint64_t standard(const Fragmentation& f, std::uint64_t gpus) {
  for (const auto& fit : f.standard) {
    if (fit.gpus == gpus) return fit.fits_now;
  }
  return 0;
}

TEST(PodFragmentation, CountsWhatIsFreeForPlainPods) {
  Fleet c(2);
  c.run(0, Fleet::gpus(4));
  c.wait(Fleet::gpus(8));
  c.wait(Fleet::gpus(8));
  const auto f = c.measure();
  EXPECT_EQ(f.gpus_free, 12u);
  EXPECT_EQ(f.gpus_allocatable, 12u);
  ASSERT_EQ(f.queue.size(), 1u);
  EXPECT_EQ(f.queue[0].shape, "8 gpu, 8 cpu, 8 GiB");
  EXPECT_EQ(f.queue[0].waiting, 2u);
  EXPECT_EQ(f.queue[0].fits_now, 1u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
  EXPECT_EQ(f.queue_gpus_waiting, 16u);
  EXPECT_EQ(standard(f, 4), 3u);
  EXPECT_THAT(f.unsure, ElementsAre());
}

TEST(PodFragmentation, ANodeSelectorThatMatchesNoNodeStartsNothing) {
  Fleet c(2);
  auto d = Fleet::gpus(1);
  d.spec.node_selector.push_back({Symbol("gpu-type"), "h200"});
  c.wait(d);
  auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 1u);
  EXPECT_THAT(f.queue[0].shape, HasSubstr("gpu-type=h200"));
  EXPECT_EQ(f.queue[0].fits_now, 0u);
  EXPECT_EQ(f.queue[0].fits_pooled, 0u);
  EXPECT_EQ(f.queue_gpus_startable, 0u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 0u);
  EXPECT_EQ(f.queue_gpus_waiting, 1u);

  Fleet with(2);
  with.label(1, "gpu-type", "h200");
  for (int i = 0; i < 10; ++i) with.wait(d);
  f = with.measure();
  EXPECT_EQ(f.queue[0].fits_now, 8u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
}

TEST(PodFragmentation, AlikeTemplatesAreOneShapeAndOthersAreNot) {
  Fleet c(4);
  c.label(0, "pool", "a");
  auto here = Fleet::gpus(2);
  here.spec.node_selector.push_back({Symbol("pool"), "a"});
  c.wait(Fleet::gpus(2));
  c.wait(Fleet::gpus(2));
  // Another template with the same wish.
  auto twin = Fleet::gpus(2);
  twin.spec.priority_class = Symbol("other");
  c.wait(twin);
  c.wait(here);
  const auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 2u);
  EXPECT_EQ(f.queue[0].waiting, 3u);
  EXPECT_EQ(f.queue[0].fits_now, 16u);
  EXPECT_EQ(f.queue[1].waiting, 1u);
  EXPECT_EQ(f.queue[1].fits_now, 4u);
}

TEST(PodFragmentation, ATaintThatGpuPodsDoNotTolerateStrands) {
  Fleet c(3);
  c.taint(0, "maintenance", "true");
  c.run(1, Fleet::gpus(2));
  c.wait(Fleet::gpus(8));
  const auto f = c.measure();
  EXPECT_EQ(f.gpus_free, 22u);
  EXPECT_EQ(f.gpus_allocatable, 14u);
  EXPECT_EQ(f.gpus_stranded, 8u);
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kTaint);
  EXPECT_EQ(stranding_name(f.nodes[0].stranded_by), "taint");
  EXPECT_EQ(standard(f, 8), 1u);
  EXPECT_EQ(f.standard[3].fits_pooled, 1u);
  EXPECT_EQ(f.queue[0].fits_now, 1u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
}

TEST(PodFragmentation, ATaintThatMostTolerateIsPartOfTheUsualPod) {
  Fleet c(2);
  for (int i : {0, 1}) c.taint(i, "gpu-only", "yes");
  c.taint(1, "soft", "", model::TaintEffect::kPreferNoSchedule);
  c.run(0, Fleet::tolerating(Fleet::gpus(1), "gpu-only"));
  c.wait(Fleet::tolerating(Fleet::gpus(1), "gpu-only"));
  c.wait(Fleet::gpus(1));
  const auto f = c.measure();
  EXPECT_EQ(f.gpus_allocatable, 15u);
  ASSERT_EQ(f.needs.size(), 1u);
  EXPECT_THAT(f.needs[0].basis, HasSubstr("3 GPU pods"));
  EXPECT_THAT(f.needs[0].basis, HasSubstr("tolerates gpu-only=yes:NoSchedule"));
  // The one that does not tolerate it waits all the same.
  EXPECT_EQ(f.queue_gpus_startable, 1u);
}

TEST(PodFragmentation, ATaintThatSomeTolerateIsSaid) {
  Fleet c(2);
  c.taint(1, "team", "b");
  c.run(0, Fleet::gpus(1));
  c.run(0, Fleet::gpus(1));
  c.run(1, Fleet::tolerating(Fleet::gpus(1), "team"));
  const auto f = c.measure();
  EXPECT_EQ(f.nodes[1].stranded, 7u);
  EXPECT_THAT(
      f.unsure,
      Contains(HasSubstr("1 of 3 GPU pods tolerate the taint team=b:NoSchedule of 1 node")));
}

TEST(PodFragmentation, WithoutPodsOnlyATaintNamedAfterAResourceIsUsual) {
  Fleet c(2);
  c.taint(0, "nvidia.com/gpu");
  c.taint(1, "team", "b");
  const auto f = c.measure();
  EXPECT_EQ(f.nodes[0].allocatable, 8u);
  EXPECT_EQ(f.nodes[1].stranded_by, Stranding::kTaint);
}

TEST(PodFragmentation, ACordonedNodeIsOutOfService) {
  Fleet c(2);
  c.cordon(0);
  c.wait(Fleet::gpus(8));
  c.wait(Fleet::gpus(8));
  const auto f = c.measure();
  EXPECT_EQ(f.gpus_out_of_service, 8u);
  EXPECT_EQ(f.queue[0].fits_now, 1u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
}

TEST(PodFragmentation, OtherResourcesAndTheNumberOfPodsLimit) {
  const Symbol rdma("rdma/hca");
  Fleet c(2);
  c.allocatable(0, rdma, 3);
  c.allocatable(0, model::names::kKubeEphemeralStorage, 250 * kGiB);
  auto d = Fleet::gpus(1).ask(rdma, 1).ask(model::names::kKubeEphemeralStorage, 100 * kGiB);
  c.wait(d);
  c.wait(d);
  c.wait(d);
  auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 1u);
  EXPECT_THAT(f.queue[0].shape, HasSubstr("1 rdma/hca"));
  EXPECT_THAT(f.queue[0].shape, HasSubstr("ephemeral-storage"));
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 2u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 2u);

  Fleet full(2);
  full.allocatable(0, model::names::kKubePods, 1);
  full.allocatable(1, model::names::kKubePods, 2);
  full.run(0, Fleet::gpus(1));
  for (int i = 0; i < 4; ++i) full.wait(Fleet::gpus(1));
  f = full.measure();
  EXPECT_EQ(f.nodes[0].stranded_by, Stranding::kPods);
  EXPECT_EQ(f.nodes[0].stranded, 7u);
  EXPECT_EQ(standard(f, 1), 2u);
  EXPECT_EQ(f.queue_gpus_startable, 2u);
}

TEST(PodFragmentation, CpusCountInThousandths) {
  Fleet c(1);
  c.allocatable(0, model::names::kKubeCpu, 3'900);
  c.wait(Fleet::draft().gpu(1).ask(model::names::kKubeCpu, 1'300));
  c.run(0, Fleet::draft().gpu(1));
  auto f = c.measure();
  EXPECT_EQ(f.queue[0].fits_now, 3u);
  EXPECT_EQ(f.queue[0].shape, "1 gpu, 1.3 cpu");
}

TEST(PodFragmentation, APodPerNodeWhereItRepelsItsLikeOrHasAHostPort) {
  Fleet c(3);
  auto port = Fleet::gpus(1);
  port.spec.host_ports.push_back({"", model::HostProtocol::kTcp, 8080});
  c.run(0, port);
  for (int i = 0; i < 4; ++i) c.wait(port);
  auto f = c.measure();
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue[0].fits_pooled, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 2u);

  Fleet repel(3);
  auto d = Fleet::gpus(1).labelled({{"app", "x"}});
  d.spec.anti_affinity.push_back(
      diagnose::testing::term(diagnose::testing::selector({{"app", "x"}}), kHostname));
  repel.run(0, d);
  for (int i = 0; i < 4; ++i) repel.wait(d);
  f = repel.measure();
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 2u);
  EXPECT_THAT(f.unsure, ElementsAre());
}

TEST(PodFragmentation, WhatDependsOnOtherWaitingPodsIsSaid) {
  Fleet c(4);
  auto d = Fleet::gpus(1).labelled({{"app", "x"}});
  d.spec.anti_affinity.push_back(
      diagnose::testing::term(diagnose::testing::selector({{"app", "x"}}), kZone));
  c.run(0, d);
  c.wait(d);
  auto spread = Fleet::gpus(2).labelled({{"app", "y"}});
  model::SpreadConstraint constraint;
  constraint.topology_key = kZone;
  constraint.pods = diagnose::testing::selector({{"app", "y"}});
  spread.spec.spread.push_back(constraint);
  c.wait(spread);
  const auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 2u);
  EXPECT_EQ(f.queue[1].fits_now, 16u) << "only the other zone's two nodes";
  EXPECT_THAT(f.unsure, Contains(HasSubstr("anti-affinity")));
  EXPECT_THAT(f.unsure, Contains(HasSubstr("spread")));
}

TEST(PodFragmentation, PodsThatTheSchedulerDoesNotTryAreNotStartable) {
  Fleet c(4);
  auto gated = Fleet::gpus(1);
  gated.pod.gates = {Symbol("kueue.x-k8s.io/admission")};
  c.wait(gated);
  auto foreign = Fleet::gpus(1);
  foreign.spec.scheduler = Symbol("volcano");
  c.wait(foreign);
  auto claims = Fleet::gpus(1);
  claims.pod.resource_claims = {{"dev", "absent", ""}};
  c.wait(claims);
  auto volume = Fleet::gpus(1).claim("not-there");
  c.wait(volume);
  auto group = Fleet::gpus(1);
  group.pod.group = "gang";
  c.scheduler_says(c.wait(group), "0/4 nodes are available: 4 Insufficient cpu.");
  const auto f = c.measure();
  EXPECT_EQ(f.queue_gpus_waiting, 5u);
  EXPECT_EQ(f.queue_gpus_startable, 0u);
  EXPECT_EQ(f.queue_gpus_startable_pooled, 0u);
  EXPECT_THAT(f.unsure, Contains(HasSubstr("1 waiting GPU pod of groups that start together")));
}

TEST(PodFragmentation, RoomPromisedToAnotherPodIsNotGivenAway) {
  Fleet c(2);
  c.run(1, Fleet::gpus(8));
  auto urgent = Fleet::gpus(8);
  urgent.pod.priority = 1000;
  urgent.pod.nominated_node = Symbol("gpu-0");
  c.wait(Fleet::gpus(4));
  c.wait(urgent);
  const auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 2u);
  EXPECT_EQ(f.queue[0].fits_now, 1u) << "its own room";
  EXPECT_EQ(f.queue[1].fits_now, 0u);
  EXPECT_EQ(f.queue_gpus_startable, 8u);
}

TEST(PodFragmentation, PartsOfGpusAreNamed) {
  Fleet c(2);
  c.s.nodes[0].gres.push_back({Symbol("mig"), Symbol("1g.5gb"), 7, 3, {}, ""});
  c.s.nodes[1].gres.push_back({Symbol("rdma/hca"), {}, 4, 0, {}, ""});
  c.wait(Fleet::draft());
  c.s.workloads[0].request.gres_per_node = {{Symbol("mig"), Symbol("1g.5gb"), 1}};
  const auto f = c.measure();
  EXPECT_EQ(f.gpus_total, 16u);
  EXPECT_THAT(f.unsure,
              ElementsAre("1 node offers parts of GPUs (mig): only whole GPUs are counted here",
                          "1 pod that asks for parts of GPUs only is not counted"));
}

TEST(PodFragmentation, GpusOfTwoVendorsAreNotTheSame) {
  Fleet c(3);
  c.allocatable(2, kGpuName, 0);
  c.allocatable(2, kAmdName, 8);
  for (int i = 0; i < 2; ++i) c.wait(Fleet::gpus(8));
  c.wait(Fleet::draft().ask(kAmdName, 4).cpu(8));
  const auto f = c.measure();
  ASSERT_EQ(f.queue.size(), 2u);
  EXPECT_EQ(f.queue[0].shape, "8 nvidia.com/gpu, 8 cpu, 8 GiB");
  EXPECT_EQ(f.queue[0].fits_now, 2u);
  EXPECT_EQ(f.queue[0].fits_pooled, 2u);
  EXPECT_EQ(f.queue[1].fits_now, 2u);
  EXPECT_EQ(f.queue_gpus_startable, 20u);
}

}  // namespace
}  // namespace schedlens::diagnose
