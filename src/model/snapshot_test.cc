// SPDX-License-Identifier: Apache-2.0
#include "model/snapshot.h"
#include "model/kubernetes.h"
#include "model/pod.h"

#include <gtest/gtest.h>

namespace schedlens::model {
namespace {

Workload job(std::uint32_t id, WorkloadState state) {
  Workload w;
  w.job_id = id;
  w.state = state;
  return w;
}

Workload pending(std::uint32_t id, std::uint64_t priority, const char* queue) {
  auto w = job(id, WorkloadState::kPending);
  w.priority = priority;
  w.queues = {Symbol(queue)};
  return w;
}

std::vector<std::uint32_t> ids(const Snapshot& s, auto&& list) {
  std::vector<std::uint32_t> out;
  for (auto id : list) out.push_back(s.workload(id).job_id);
  return out;
}

TEST(Snapshot, PendingOrderIsReservationTierPrioritySubmit) {
  Snapshot s;
  for (auto [name, tier] : {std::pair("low", 1u), std::pair("high", 5u)}) {
    Queue q;
    q.name = Symbol(name);
    q.priority_tier = tier;
    s.queues.push_back(q);
  }
  s.workloads = {pending(1, 900, "low"), pending(2, 10, "high"), pending(3, 20, "high"),
                 pending(4, 20, "high"), pending(5, 1, "low")};
  s.workloads[4].reservation = Symbol("r");
  s.workloads.push_back(job(6, WorkloadState::kRunning));
  s.build_index();
  EXPECT_EQ(ids(s, s.pending()), (std::vector<std::uint32_t>{5, 3, 4, 2, 1}));
}

TEST(Snapshot, WorkloadsOnANode) {
  Snapshot s;
  s.nodes.resize(3);
  s.workloads = {job(1, WorkloadState::kRunning), job(2, WorkloadState::kCompleted),
                 job(3, WorkloadState::kSuspended)};
  s.workloads[0].allocation.nodes = {{0}, {2}};
  s.workloads[1].allocation.nodes = {{0}};
  s.workloads[2].allocation.nodes = {{2}};
  s.build_index();
  EXPECT_EQ(ids(s, s.workloads_on({0})), (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(s.workloads_on({1}).empty());
  EXPECT_EQ(ids(s, s.workloads_on({2})), (std::vector<std::uint32_t>{1, 3}));
}

TEST(Snapshot, FindsJobsByEveryNameSlurmPrints) {
  Snapshot s;
  s.workloads = {job(12, WorkloadState::kPending), job(13, WorkloadState::kRunning),
                 job(20, WorkloadState::kPending), job(21, WorkloadState::kPending)};
  s.workloads[0].array = ArrayPlace{12, std::nullopt, "2-4", 3, 1};
  s.workloads[1].array = ArrayPlace{12, 1, "", 0, std::nullopt};
  s.workloads[2].het = HetPlace{20, 0};
  s.workloads[3].het = HetPlace{20, 1};
  s.build_index();
  EXPECT_EQ(ids(s, s.find_workloads("12")), (std::vector<std::uint32_t>{12, 13}));
  EXPECT_EQ(ids(s, s.find_workloads("12_1")), (std::vector<std::uint32_t>{13}));
  EXPECT_EQ(ids(s, s.find_workloads("12_3")), (std::vector<std::uint32_t>{12}));
  EXPECT_EQ(ids(s, s.find_workloads("12_[2-4]")), (std::vector<std::uint32_t>{12}));
  EXPECT_EQ(ids(s, s.find_workloads("13")), (std::vector<std::uint32_t>{13}));
  EXPECT_EQ(ids(s, s.find_workloads("20")), (std::vector<std::uint32_t>{20, 21}));
  EXPECT_EQ(ids(s, s.find_workloads("20+1")), (std::vector<std::uint32_t>{21}));
  EXPECT_TRUE(s.find_workloads("12_9").empty());
  EXPECT_TRUE(s.find_workloads("99").empty());
  EXPECT_TRUE(s.find_workloads("x").empty());
  EXPECT_TRUE(s.find_workloads("").empty());
}

TEST(Snapshot, AssociationForAPartitionGoesFirst) {
  Snapshot s;
  Association general, special;
  general.id = 1;
  general.account = special.account = Symbol("llm");
  general.user = special.user = Symbol("alice");
  special.id = 2;
  special.queue = Symbol("dev");
  s.associations = {general, special};
  s.build_index();
  EXPECT_EQ(s.find_association(Symbol("llm"), Symbol("alice"), Symbol("dev"))->id, 2u);
  EXPECT_EQ(s.find_association(Symbol("llm"), Symbol("alice"), Symbol("train"))->id, 1u);
  EXPECT_EQ(s.find_association(Symbol("llm"), Symbol("bob"), Symbol("dev")), nullptr);
}

TEST(Workload, ABeginTimeIsNoForecast) {
  Workload w;
  w.state = WorkloadState::kPending;
  EXPECT_EQ(forecast(w), std::nullopt);
  w.eligible = Timestamp{5000};
  w.start = Timestamp{5000};  // as Slurm fills it in
  EXPECT_EQ(forecast(w), std::nullopt);
  w.start = Timestamp{6000};
  EXPECT_EQ(forecast(w), Timestamp{6000});
  w.eligible.reset();
  EXPECT_EQ(forecast(w), Timestamp{6000});
  w.state = WorkloadState::kRunning;
  EXPECT_EQ(forecast(w), std::nullopt);
}

TEST(Workload, WaitingTimeIsCountedFromEligible) {
  auto w = job(1, WorkloadState::kPending);
  EXPECT_EQ(waited(w, {1000}), std::nullopt);
  w.submitted = Timestamp{100};
  w.eligible = Timestamp{400};
  EXPECT_EQ(waited(w, {1000}), Seconds{600});
  EXPECT_EQ(waited(w, {300}), std::nullopt) << "not eligible yet";
  w.state = WorkloadState::kRunning;
  w.start = Timestamp{500};
  EXPECT_EQ(waited(w, {1000}), Seconds{100});
}

TEST(ResourceCounts, TypedAndUntypedGpusAreNotAddedUp) {
  ResourceCounts counts;
  counts.set(Symbol("gres/gpu:a100"), 4);
  EXPECT_EQ(gpu_count(counts), 4u);
  counts.set(Symbol("gres/gpu"), 4);
  EXPECT_EQ(gpu_count(counts), 4u);
  counts.add(Symbol("cpu"), 2);
  counts.add(Symbol("cpu"), 3);
  EXPECT_EQ(counts.get(Symbol("cpu")), 5);
  EXPECT_EQ(counts.get(Symbol("mem")), std::nullopt);
}

TEST(SchedulerConfig, OptionsOfAValue) {
  SchedulerConfig c;
  c.entries = {{"SchedulerParameters", "bf_window=1440,bf_continue, default_queue_depth=50"}};
  EXPECT_EQ(c.number_option("schedulerparameters", "bf_window"), 1440);
  EXPECT_EQ(c.option("SchedulerParameters", "bf_continue"), "");
  EXPECT_EQ(c.number_option("SchedulerParameters", "default_queue_depth"), 50);
  EXPECT_EQ(c.option("SchedulerParameters", "bf_interval"), std::nullopt);
  EXPECT_EQ(c.get("PriorityType"), std::nullopt);
}

Workload pod(const char* ns, const char* name, int priority, std::int64_t created) {
  Pod p;
  p.ns = Symbol(ns);
  p.spec = std::make_shared<PodSpec>();
  p.priority = priority;
  Workload w;
  w.name = name;
  w.state = WorkloadState::kPending;
  w.submitted = Timestamp{created};
  w.pod = std::make_shared<Pod>(std::move(p));
  return w;
}

TEST(Snapshot, PodsAreFoundByNameAndWaitByPriorityThenAge) {
  Snapshot s;
  s.kubernetes = std::make_shared<Kubernetes>();
  s.workloads = {pod("a", "low", -5, 1), pod("a", "second", 10, 9), pod("b", "first", 10, 3),
                 pod("b", "low", 0, 2)};
  s.build_index();
  EXPECT_EQ(display_id(s.workloads[0]), "a/low");
  EXPECT_EQ(s.find_workloads("a/low"), std::vector<WorkloadId>{{0}});
  EXPECT_EQ(s.find_workloads("low"), (std::vector<WorkloadId>{{0}, {3}}));
  EXPECT_TRUE(s.find_workloads("c/low").empty());
  const std::vector<WorkloadId> order(s.pending().begin(), s.pending().end());
  EXPECT_EQ(order, (std::vector<WorkloadId>{{2}, {1}, {3}, {0}}));
}

}  // namespace
}  // namespace schedlens::model
