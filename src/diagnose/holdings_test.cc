// SPDX-License-Identifier: Apache-2.0
#include "diagnose/holdings.h"

#include <gtest/gtest.h>

#include <numeric>

namespace schedlens::diagnose {
namespace {

using model::Node;
using model::NodeFlag;
using model::NodeState;
using model::Workload;
using model::WorkloadState;

Node gpu_node(const char* name, const char* type, std::optional<std::uint64_t> used) {
  Node n;
  n.name = Symbol(name);
  n.state = NodeState::kMixed;
  n.cpus = 64;
  n.gres.push_back({model::names::kGpu, Symbol(type), 8, used, {}, ""});
  n.gres.push_back({Symbol("nvme"), Symbol(), 2, 0, {}, ""});
  return n;
}

Workload job(std::uint32_t id, const char* user, const char* account, WorkloadState state,
             double gpus) {
  Workload w;
  w.job_id = id;
  w.user = Symbol(user);
  w.account = Symbol(account);
  w.state = state;
  w.queues = {Symbol("train")};
  w.request.totals.set(model::names::kGresGpu, gpus);
  if (state == WorkloadState::kRunning) w.allocation.totals.set(model::names::kGresGpu, gpus);
  return w;
}

model::Snapshot sample() {
  model::Snapshot s;
  s.nodes = {gpu_node("n1", "a100", 6), gpu_node("n2", "a100", 3), gpu_node("n3", "h100", 0),
             gpu_node("n4", "h100", std::nullopt)};
  s.nodes[1].flags.set(NodeFlag::kDrain);
  model::Queue train, dev;
  train.name = Symbol("train");
  train.nodes = {{0}, {1}, {2}, {3}};
  dev.name = Symbol("dev");
  dev.nodes = {{0}};
  s.queues = {train, dev};
  s.workloads = {job(1, "alice", "llm", WorkloadState::kRunning, 6),
                 job(2, "bob", "llm", WorkloadState::kRunning, 3),
                 job(3, "carol", "vision", WorkloadState::kPending, 8),
                 job(4, "bob", "llm", WorkloadState::kPending, 2),
                 job(5, "dave", "old", WorkloadState::kCompleted, 4)};
  s.workloads[2].queues.push_back(Symbol("dev"));
  s.workloads[3].array = model::ArrayPlace{4, std::nullopt, "1-10", 10, std::nullopt};
  s.build_index();
  return s;
}

TEST(Holdings, GpuPartsAddUpToTheTotal) {
  auto h = holdings(sample());
  EXPECT_EQ(h.gpus.total, 32u);
  EXPECT_EQ(h.gpus.used, 9u);
  EXPECT_EQ(h.gpus.free, 10u);           // n1: 2, n3: 8
  EXPECT_EQ(h.gpus.out_of_service, 5u);  // n2 is draining
  EXPECT_EQ(h.gpus.unknown, 8u);
  EXPECT_EQ(h.gpus.used + h.gpus.free + h.gpus.out_of_service + h.gpus.unknown, h.gpus.total);
  ASSERT_EQ(h.types.size(), 2u);
  EXPECT_EQ(h.types[0].type, Symbol("a100"));
  EXPECT_EQ(h.types[0].gpus.used, 9u);
  EXPECT_EQ(h.types[1].gpus.unknown, 8u);
}

TEST(Holdings, EveryNodeIsInOneBucket) {
  auto h = holdings(sample());
  EXPECT_EQ(std::accumulate(h.nodes.begin(), h.nodes.end(), 0u), 4u);
  EXPECT_EQ(h.nodes[static_cast<std::size_t>(model::NodeBucket::kDraining)], 1u);
  EXPECT_EQ(h.cpus, 256u);
}

TEST(Holdings, WhoHoldsMostComesFirstAndArraysCountTheirTasks) {
  auto h = holdings(sample());
  ASSERT_EQ(h.users.size(), 3u);  // the finished job's user holds nothing
  EXPECT_EQ(h.users[0].name, Symbol("alice"));
  EXPECT_EQ(h.users[1].name, Symbol("bob"));
  EXPECT_EQ(h.users[1].demand.waiting, 10u);
  EXPECT_EQ(h.users[1].demand.gpus_waiting, 20u);
  EXPECT_EQ(h.accounts[0].name, Symbol("llm"));
  EXPECT_EQ(h.accounts[0].demand.gpus_held, 9u);
  EXPECT_EQ(h.demand.running, 2u);
  EXPECT_EQ(h.demand.waiting, 11u);
  EXPECT_EQ(h.demand.gpus_waiting, 28u);
}

TEST(Holdings, QueuesCountWhatStandsOrWaitsInThem) {
  auto h = holdings(sample());
  ASSERT_EQ(h.queues.size(), 2u);
  EXPECT_EQ(h.queues[0].nodes, 4u);
  EXPECT_EQ(h.queues[0].nodes_in_service, 3u);
  EXPECT_EQ(h.queues[0].demand.waiting, 11u);
  EXPECT_EQ(h.queues[1].gpus.free, 2u);
  EXPECT_EQ(h.queues[1].demand.waiting, 1u);  // the job in both queues
  EXPECT_EQ(h.queues[1].demand.gpus_waiting, 8u);
}

TEST(Holdings, AnEmptyClusterHasNothing) {
  model::Snapshot s;
  s.build_index();
  auto h = holdings(s);
  EXPECT_EQ(h.gpus.total, 0u);
  EXPECT_TRUE(h.users.empty());
  EXPECT_TRUE(h.types.empty());
}

}  // namespace
}  // namespace schedlens::diagnose
