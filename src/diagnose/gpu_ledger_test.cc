// SPDX-License-Identifier: Apache-2.0
#include "diagnose/gpu_ledger.h"

#include <gmock/gmock.h>

#include <chrono>
#include <numeric>

#include "diagnose/test_cluster.h"
#include "diagnose/test_fleet.h"
#include "diagnose/test_pods.h"
#include "model/node_object.h"
#include "model/usage.h"

namespace schedlens::diagnose {
namespace {

using model::NodeFlag;
using testing::Cluster;
using ::testing::ElementsAre;
using testing::gib;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GpuLedger look(model::Snapshot& s) {
  s.build_index();
  std::vector<RootCause> causes(s.workloads.size(), RootCause::kNone);
  Explainer explainer(s);
  for (auto id : s.pending()) causes[id.index] = explainer.classify(id);
  return gpu_ledger(s, fragmentation(s), causes);
}

std::uint64_t count(const GpuLedger& ledger, GpuState state) {
  return ledger.gpus[static_cast<std::size_t>(state)];
}

std::uint64_t part(const GpuLedger& ledger, GpuState state, std::string_view cause) {
  for (const auto& p : ledger.parts) {
    if (p.state == state && p.cause == cause) return p.gpus;
  }
  return 0;
}

void expect_sums(const GpuLedger& ledger) {
  auto sum = [](const GpuCounts& gpus) {
    return std::accumulate(gpus.begin(), gpus.end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum(ledger.gpus), ledger.total);
  GpuCounts parts{}, nodes{};
  for (const auto& p : ledger.parts) parts[static_cast<std::size_t>(p.state)] += p.gpus;
  for (const auto& n : ledger.nodes) {
    for (std::size_t i = 0; i < kGpuStates; ++i) nodes[i] += n.gpus[i];
  }
  EXPECT_EQ(parts, ledger.gpus);
  EXPECT_EQ(nodes, ledger.gpus);
}

TEST(GpuLedger, CountsEveryGpuOnceByWhatItsNodeDoes) {
  Cluster c;
  c.run("alice", {0}, 16, 4);
  c.drain(1);
  c.run("bob", {2}, 8, 2);
  c.drain(2);
  c.node(3).state = model::NodeState::kDown;
  c.reserve("class", {4}, -60, 3600);
  c.reserve("firmware", {5}, -60, 3600).flags = {"MAINT"};
  c.node(6).flags.set(NodeFlag::kPlanned);
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(ledger.total, 64u);
  EXPECT_EQ(count(ledger, GpuState::kInUse), 6u) << "of a draining node, too";
  EXPECT_EQ(count(ledger, GpuState::kDrained), 14u);
  EXPECT_EQ(count(ledger, GpuState::kDown), 8u);
  EXPECT_EQ(count(ledger, GpuState::kReservedIdle), 8u);
  EXPECT_EQ(count(ledger, GpuState::kMaintenance), 8u);
  EXPECT_EQ(count(ledger, GpuState::kHeldIdle), 8u);
  EXPECT_EQ(count(ledger, GpuState::kNoDemand), 12u) << "nothing waits";
  EXPECT_THAT(ledger.idle, IsEmpty());
}

TEST(GpuLedger, SaysWhatStrandedGpusLack) {
  Cluster c(3);
  c.run("alice", {0}, 64, 4);           // no CPU is left
  c.run("alice", {1}, 8, 4, gib(990));  // hardly any memory
  c.run("alice", {2}, 8, 6);            // two GPUs
  auto& w = c.wait("bob", 4);
  w.request.cpus = 16;
  w.request.memory = gib(100);
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "cpu"), 4u);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "memory"), 4u);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "gpus"), 2u);
  ASSERT_EQ(ledger.idle.size(), 3u);
  EXPECT_EQ(ledger.idle[0].gpus, 4u);
  ASSERT_EQ(ledger.idle[0].shapes.size(), 1u);
  EXPECT_THAT(ledger.idle[0].shapes[0].shape, HasSubstr("4 gpu, 16 cpu"));
  EXPECT_EQ(ledger.idle[0].shapes[0].unplaced, 1u);
}

TEST(GpuLedger, ALackIsTakenFromTheWorkloadThatComesClosest) {
  Cluster c(1);
  c.run("alice", {0}, 60, 4);
  c.wait("bob", 8);  // first in the queue, and far from fitting
  auto& w = c.wait("carol", 2);
  w.request.cpus = 8;
  auto ledger = look(c.s);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "cpu"), 4u);
}

TEST(GpuLedger, JobsOfSeveralNodesStrandWhatHoldsOnlyAPartOfThem) {
  Cluster c(4);
  c.run("alice", {0}, 8, 1);
  c.run("alice", {1}, 8, 1);
  auto& w = c.wait("bob", 8);
  w.request.min_nodes = 3;
  w.request.max_nodes = 3;
  auto ledger = look(c.s);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "nodes"), 16u) << "two nodes of three are free";
  EXPECT_EQ(part(ledger, GpuState::kStranded, "gpus"), 14u);
}

TEST(GpuLedger, WhatFitsAndDoesNotStartNamesItsCause) {
  Cluster c(2);
  auto& limited = c.wait("bob", 4);
  limited.reason = Symbol("QOSGrpGRES");
  c.qos("normal").limits.push_back(testing::limit(model::LimitKind::kGrpTres, "gres/gpu", 4, 4));
  c.qos("free");
  auto& held = c.wait("carol", 4);
  held.priority = 0;
  held.reason = Symbol("JobHeldUser");
  held.qos = Symbol("free");
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(part(ledger, GpuState::kNotScheduled, "limit"), 4u);
  EXPECT_EQ(part(ledger, GpuState::kNotScheduled, "hold"), 4u);
  EXPECT_EQ(count(ledger, GpuState::kNoDemand), 8u) << "both would be served";
  ASSERT_EQ(ledger.idle.size(), 2u);
  EXPECT_EQ(ledger.idle[0].workloads.size(), 1u);
}

TEST(GpuLedger, AThrottledArrayIsStoppedBeyondItsThrottleAlone) {
  Cluster c(1);
  auto& w = c.wait("bob", 2);
  w.array = model::ArrayPlace{w.job_id, std::nullopt, "1-9", 9, 1};
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(count(ledger, GpuState::kNotScheduled), 8u) << "four tasks fit";
}

TEST(GpuLedger, NodesThatWhatWaitsMayNotUseWaitForOthers) {
  Cluster c(2);
  c.s.queues[0].nodes = {{0}};
  c.add_queue("other", {1});
  c.run("alice", {0}, 8, 8);
  c.wait("bob", 1);
  auto ledger = look(c.s);
  EXPECT_EQ(count(ledger, GpuState::kElsewhere), 8u);
  ASSERT_EQ(ledger.queues.size(), 2u);
  EXPECT_EQ(ledger.queues[1].gpus[static_cast<std::size_t>(GpuState::kElsewhere)], 8u);
  EXPECT_EQ(ledger.queues[0].gpus[static_cast<std::size_t>(GpuState::kInUse)], 8u);
}

TEST(GpuLedger, AJobThatNamesItsNodeMayUseNoOther) {
  Cluster c(2);
  c.run("alice", {0}, 64, 2);
  c.wait("bob", 4).request.required_nodes = {{0}};
  auto ledger = look(c.s);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "cpu"), 6u);
  EXPECT_EQ(count(ledger, GpuState::kElsewhere), 8u);
}

TEST(GpuLedger, ANodeThatOneJobHasToItselfServesNobodyElse) {
  Cluster c(1);
  c.run("alice", {0}, 8, 4).request.sharing = model::Sharing::kUser;
  c.wait("bob", 1);
  auto ledger = look(c.s);
  EXPECT_EQ(part(ledger, GpuState::kStranded, "whole_node"), 4u);
}

TEST(GpuLedger, WhatCouldNotBeReadIsUnknownAndNeverZero) {
  Cluster c(2);
  c.run("alice", {0}, 8, 4);
  c.node(1).state = model::NodeState::kDown;
  c.s.sources.resize(2);
  c.s.sources[0].feeds = "nodes";
  c.s.sources[0].state = model::SourceState::kFresh;
  c.s.sources[1].feeds = "workloads";
  c.s.sources[1].state = model::SourceState::kFailed;
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(count(ledger, GpuState::kInUse), 4u) << "the nodes say so";
  EXPECT_EQ(count(ledger, GpuState::kDown), 8u);
  EXPECT_EQ(count(ledger, GpuState::kUnknown), 4u) << "whether somebody waits for them";
  EXPECT_THAT(ledger.unsure, ElementsAre(HasSubstr("could not be read")));

  c.s.sources[0].state = model::SourceState::kStale;
  ledger = look(c.s);
  EXPECT_EQ(count(ledger, GpuState::kUnknown), 16u);
  EXPECT_EQ(ledger.total, 16u);
}

TEST(GpuLedger, GpusOfWhichNobodySaysWhetherTheyAreUsedAreUnknown) {
  Cluster c(1);
  c.node(0).gres.front().used.reset();
  auto ledger = look(c.s);
  expect_sums(ledger);
  EXPECT_EQ(count(ledger, GpuState::kUnknown), 8u);
}

// Of a cluster whose pools and requests are filled.
GpuLedger look(testing::Fleet& c) {
  c.measure();
  return look(c.s);
}

TEST(GpuLedger, CountsUnhealthyDevicesOfKubernetesBesideThoseOnOffer) {
  testing::Fleet c(2);
  c.run(0, testing::Fleet::gpus(4));
  c.change(0, [](model::NodeObject& o) { o.allocatable.set(testing::kGpuName, 6); });
  c.change(1, [](model::NodeObject& o) { o.allocatable.set(testing::kGpuName, 0); });
  const auto ledger = look(c);
  expect_sums(ledger);
  EXPECT_EQ(ledger.total, 16u);
  EXPECT_EQ(count(ledger, GpuState::kInUse), 4u);
  EXPECT_EQ(count(ledger, GpuState::kUnhealthy), 10u);
  EXPECT_EQ(count(ledger, GpuState::kNoDemand), 2u);
  EXPECT_THAT(ledger.queues, IsEmpty()) << "its queues have no nodes of their own";
}

TEST(GpuLedger, HoldsTheGpusOfANodeForThePodThatIsNominatedToIt) {
  testing::Fleet c(1);
  c.run(0, testing::Fleet::gpus(2));
  const auto id = c.wait(testing::Fleet::gpus(4));
  c.change_pod(id, [](model::Pod& pod) { pod.nominated_node = Symbol("gpu-0"); });
  const auto ledger = look(c);
  expect_sums(ledger);
  EXPECT_EQ(count(ledger, GpuState::kHeldIdle), 4u);
  EXPECT_EQ(count(ledger, GpuState::kNoDemand), 2u);
}

TEST(GpuLedger, ATaintedNodeServesOthersThanThePodsThatWait) {
  testing::Fleet c(1);
  c.taint(0, "team", "a");
  c.wait(testing::Fleet::gpus(1));
  const auto ledger = look(c);
  EXPECT_EQ(count(ledger, GpuState::kElsewhere), 8u);
}

TEST(GpuLedger, DevicesThatWereMeasuredToDoNothingAreIdle) {
  testing::Fleet c(1);
  const auto id = c.run(0, testing::Fleet::gpus(3));
  auto usage = std::make_shared<model::Usage>();
  usage->gpus.emplace();
  for (double busy : {0.0, 0.9, 0.01}) {
    auto& gpu = usage->gpus->emplace_back();
    gpu.node = model::NodeId{0};
    gpu.busy = busy;
    gpu.sampled = Timestamp{testing::Pods::kNow - 10};
    gpu.pods = {id};
  }
  usage->gpus->push_back(usage->gpus->front());
  usage->gpus->back().pods.clear();  // idle, and nobody holds it
  c.k.usage = usage;
  const auto ledger = look(c);
  expect_sums(ledger);
  EXPECT_EQ(count(ledger, GpuState::kAllocatedIdle), 2u);
  EXPECT_EQ(count(ledger, GpuState::kInUse), 1u);
}

TEST(GpuLedger, CostsLittleWithTenThousandNodesAndAsManyJobs) {
  Cluster c(10'000);
  for (int i = 0; i < 10'000; ++i) {
    auto gpus = i % 7;
    if (gpus > 0) c.run("alice", {i}, static_cast<std::uint32_t>(gpus * 8), gpus);
  }
  for (int i = 0; i < 10'000; ++i) {
    auto& w = c.wait("bob", 1 + i % 8);
    w.request.cpus = static_cast<std::uint32_t>(8 * (1 + i % 5));
  }
  c.s.build_index();
  auto f = fragmentation(c.s);
  std::vector<RootCause> causes(c.s.workloads.size(), RootCause::kPriority);
  auto begin = std::chrono::steady_clock::now();
  auto ledger = gpu_ledger(c.s, f, causes);
  auto ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin);
  expect_sums(ledger);
  EXPECT_EQ(ledger.total, 80'000u);
  EXPECT_LT(ms.count(), 500) << "some 5 ms on an idle machine";
}

}  // namespace
}  // namespace schedlens::diagnose
