// SPDX-License-Identifier: Apache-2.0
#include "diagnose/usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/test_usage.h"

namespace schedlens::diagnose {
namespace {

using model::WorkloadId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Measured;
using Kind = UsageFindingKind;

const UsageRow& of(const std::vector<UsageRow>& rows, std::string_view ns) {
  for (const auto& row : rows) {
    if (row.ns.view() == ns) return row;
  }
  throw std::runtime_error("no such row");
}

TEST(CompareUsage, SumsAreOfWhatIsKnown) {
  Measured c;
  c.uses(c.pod("train", 4, 0), 1);
  c.uses(c.pod("train", 8, 0), 2);
  c.pod("train", 20, 0);  // of which nothing is known
  c.pod("infer", 5, 0);
  const auto report = c.report();
  const auto& train = of(report.namespaces, "train");
  EXPECT_EQ(train.pods, 3u);
  EXPECT_DOUBLE_EQ(train.cpu.requested, 32);
  EXPECT_DOUBLE_EQ(*train.cpu.use(), 3);
  EXPECT_DOUBLE_EQ(*train.cpu.share(), 0.25);  // of 12, not of 32
  EXPECT_EQ(train.cpu.unknown, 1u);
  EXPECT_FALSE(of(report.namespaces, "infer").cpu.use());
  EXPECT_FALSE(of(report.namespaces, "infer").cpu.share());
  EXPECT_TRUE(report.measured);
}

TEST(CompareUsage, WhatIsTooOldIsNotKnown) {
  Measured c;
  c.uses(c.pod("train", 4, 0), 1, 601);
  const auto report = c.report();
  EXPECT_FALSE(report.measured);
  EXPECT_EQ(report.namespaces[0].cpu.unknown, 1u);
  EXPECT_FALSE(report.namespaces[0].cpu.use());
}

TEST(CompareUsage, NobodyWasAsked) {
  Measured c;
  c.pod("train", 4, 8);
  c.ready();
  const auto report = compare_usage(c.s);
  EXPECT_FALSE(report.measured);
  EXPECT_EQ(report.namespaces[0].gpus.held, 8u);
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(CompareUsage, APodWithoutARequestHasNoShare) {
  Measured c;
  c.uses(c.pod("train", 0, 0), 1);
  const auto report = c.report();
  EXPECT_DOUBLE_EQ(*report.namespaces[0].cpu.use(), 1);
  EXPECT_FALSE(report.namespaces[0].cpu.share());
}

TEST(CompareUsage, TheTopmostOwner) {
  Measured c;
  const auto id = c.pod("train", 4, 0);
  c.change_pod(id, [](model::Pod& pod) {
    pod.owner = model::OwnerReference{Symbol("ReplicaSet"), "web-abc", "1"};
  });
  model::Controller set;
  set.kind = Symbol("ReplicaSet");
  set.ns = Symbol("train");
  set.name = "web-abc";
  set.owner = model::OwnerReference{Symbol("Deployment"), "web", "2"};
  c.k.controllers->push_back(set);
  c.uses(id, 1);
  const auto report = c.report();
  ASSERT_EQ(report.owners.size(), 1u);
  EXPECT_EQ(report.owners[0].owner->kind.view(), "Deployment");
  EXPECT_EQ(report.owners[0].owner->name, "web");
}

TEST(CompareUsage, ASharedDeviceCountsOnce) {
  Measured c;
  const auto a = c.pod("train", 1, 1), b = c.pod("infer", 1, 1);
  c.device(0.8, {a, b});
  const auto report = c.report();
  EXPECT_DOUBLE_EQ(of(report.namespaces, "train").gpus.busy, 0.4);
  EXPECT_DOUBLE_EQ(of(report.namespaces, "infer").gpus.busy, 0.4);
  EXPECT_DOUBLE_EQ(report.nodes[0].gpus.busy, 0.8);
  EXPECT_DOUBLE_EQ(report.nodes[0].gpus.measured, 1);
}

TEST(CompareUsage, APodWithoutGpusHasNoneIdle) {
  Measured c;
  c.uses(c.pod("train", 1, 0), 1);
  const auto report = c.report();
  EXPECT_EQ(report.namespaces[0].gpus.held, 0u);
  EXPECT_DOUBLE_EQ(report.namespaces[0].gpus.idle, 0);
  EXPECT_DOUBLE_EQ(report.namespaces[0].gpus.measured, 0);
}

TEST(Misuse, IdleGpusOfAPod) {
  Measured c;
  const auto id = c.pod("train", 4, 3);
  c.device(0.0, {id});
  c.device(0.04, {id});
  c.device(0.6, {id});
  const auto report = c.report();
  ASSERT_EQ(report.findings.size(), 1u);
  const auto& f = report.findings[0];
  EXPECT_EQ(f.kind, Kind::kIdleGpus);
  EXPECT_EQ(f.pod, id);
  EXPECT_THAT(f.devices, ElementsAre("0", "1"));
  EXPECT_DOUBLE_EQ(f.gpus, 2);
  EXPECT_THAT(f.text, HasSubstr("holds 2 GPUs on gpu-0 that did nothing when looked at"));
  EXPECT_DOUBLE_EQ(report.owners[0].gpus.idle, 2);
}

TEST(Misuse, OneThatWasBusyAMomentAgoIsNotIdle) {
  Measured c;
  auto& gpu = c.device(0.0, {c.pod("train", 4, 1)});
  gpu.busiest = 0.7;
  gpu.watched_since = Timestamp{Measured::kNow - 300};
  EXPECT_THAT(c.report().findings, IsEmpty());
}

TEST(Misuse, SaysForHowLong) {
  Measured c;
  auto& gpu = c.device(0.0, {c.pod("train", 4, 1)});
  gpu.busiest = 0.02;
  gpu.watched_since = Timestamp{Measured::kNow - 420};
  const auto report = c.report();
  EXPECT_THAT(report.findings.at(0).text, HasSubstr("did nothing in the last 7m0s: busy 2 % at"));
}

TEST(Misuse, NotForLongerThanThePodHasIt) {
  Measured c;
  const auto id = c.pod("train", 4, 1);
  c.s.workloads[id.index].start = Timestamp{Measured::kNow - 90};
  auto& gpu = c.device(0.0, {id});
  gpu.busiest = 0.0;
  gpu.watched_since = Timestamp{Measured::kNow - 420};
  EXPECT_EQ(c.report().findings.at(0).watched, Seconds{90});
}

TEST(Misuse, FullMemoryAndLittleWorkIsAHint) {
  Measured c;
  c.device(0.2, {c.pod("train", 4, 1)}, 0.9);
  const auto report = c.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Kind::kMemoryHeld);
  EXPECT_THAT(report.findings[0].text, HasSubstr("That is usual of servers"));
}

TEST(Misuse, UsedThoughNobodyHoldsIt) {
  Measured c;
  c.device(0.9, {});
  const auto report = c.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Kind::kUsedUnallocated);
  EXPECT_EQ(report.findings[0].node, model::NodeId{0});
}

// Its device may be the one of nobody: exporters that read no claims cannot tell.
TEST(Misuse, APodWithAClaimMayHoldIt) {
  Measured c;
  const auto id = c.pod("train", 4, 0);
  c.change_pod(id, [](model::Pod& pod) { pod.resource_claims.emplace_back(); });
  c.device(0.9, {});
  EXPECT_THAT(c.report().findings, IsEmpty());
  c.device(0.9, {id});  // it does read them
  EXPECT_EQ(c.report().findings.at(0).kind, Kind::kUsedUnallocated);
}

TEST(Misuse, HoldersThatAreNotKnownAreNoFinding) {
  Measured c;
  c.device(0.9, {}).pods_known = false;
  EXPECT_THAT(c.report().findings, IsEmpty());
}

TEST(Misuse, ADividedDeviceIsNotHeldAsAWhole) {
  Measured c;
  const auto id = c.pod("train", 4, 0);
  c.device(0.9, {}).uuid = "GPU-m";
  auto& part = c.device(0.0, {id});
  part.uuid = "GPU-m";
  part.mig_instance = "7";
  const auto report = c.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Kind::kIdleGpus);
  EXPECT_THAT(report.findings[0].devices, ElementsAre("1/7"));
  EXPECT_DOUBLE_EQ(report.findings[0].gpus, 0);  // of a whole device it is none
  EXPECT_DOUBLE_EQ(report.namespaces[0].gpus.parts_measured, 1);
}

TEST(Misuse, OldValuesAreNoFinding) {
  Measured c;
  c.device(0.0, {c.pod("train", 4, 1)}).sampled = Timestamp{Measured::kNow - 900};
  EXPECT_THAT(c.report().findings, IsEmpty());
}

}  // namespace
}  // namespace schedlens::diagnose
