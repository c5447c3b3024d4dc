// SPDX-License-Identifier: Apache-2.0
#include "kube/to_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/samples_test.h"
#include "kube/spec_pool.h"
#include "model/node_object.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

using model::NodeBucket;
using model::NodeFlag;
using model::NodeState;
using model::WorkloadFlag;
using model::WorkloadState;
using testing::ElementsAre;
using testing::IsEmpty;

const GpuNames kGpus;

struct PodText {
  const char* node = "";
  const char* phase = "Pending";
  const char* cpu = nullptr;
  const char* gpus = nullptr;
  const char* memory = nullptr;
  const char* owner = nullptr;
  const char* other = nullptr;  // one unit of another resource
  std::int64_t deleted = 0;
  std::int64_t priority = 0;
  Message status{};
  Message spec{};
};

DecodedPod pod(PodText p) {
  Message requests;
  if (p.cpu) requests.amount(2, "cpu", p.cpu);
  if (p.gpus) requests.amount(2, "nvidia.com/gpu", p.gpus);
  if (p.memory) requests.amount(2, "memory", p.memory);
  if (p.other) requests.amount(2, p.other, "1");
  auto meta = Message().text(1, "p").text(3, "ns").time(8, 1000);
  if (p.deleted) meta.time(9, p.deleted);
  if (p.owner) meta.message(13, Message().text(1, p.owner).text(3, "o").number(6, 1));
  p.spec.message(2, Message().text(1, "main").message(8, requests)).number(25, p.priority);
  if (*p.node) p.spec.text(10, p.node);
  p.status.text(1, p.phase);
  SpecPool specs;
  auto result =
      decode_pod(Message().message(1, meta).message(2, p.spec).message(3, p.status).bytes(), specs);
  EXPECT_TRUE(result) << result.error().message();
  return std::move(*result);
}

model::Workload workload(PodText p, std::optional<model::NodeId> node = model::NodeId{4}) {
  return to_workload(pod(std::move(p)), node, kGpus);
}

Message scheduled(const char* status, const char* reason, std::int64_t since) {
  return Message().message(2, Message()
                                  .text(1, "PodScheduled")
                                  .text(2, status)
                                  .text(5, reason)
                                  .text(6, "0/9 nodes are available: 9 Insufficient cpu.")
                                  .time(4, since));
}

TEST(ToWorkload, WaitingPod) {
  const auto w = workload({.cpu = "1500m",
                           .gpus = "8",
                           .memory = "1Gi",
                           .priority = 100,
                           .status = scheduled("False", "Unschedulable", 1001)},
                          std::nullopt);
  EXPECT_EQ(w.state, WorkloadState::kPending);
  EXPECT_FALSE(w.flags.any());
  EXPECT_EQ(display_id(w), "ns/p");
  EXPECT_EQ(w.account, Symbol("ns"));
  EXPECT_EQ(w.reason, Symbol("Unschedulable"));
  EXPECT_EQ(w.reason_text, "0/9 nodes are available: 9 Insufficient cpu.");
  EXPECT_EQ(w.priority, 100u);
  EXPECT_EQ(w.submitted, Timestamp{1000});
  EXPECT_EQ(w.eligible, Timestamp{1000});
  EXPECT_FALSE(w.start);
  EXPECT_EQ(w.request.cpus, 2u);
  EXPECT_EQ(w.request.min_nodes, 1u);
  EXPECT_EQ(w.request.memory_per, model::MemoryPer::kNode);
  EXPECT_EQ(w.request.memory, Bytes{1 << 30});
  EXPECT_EQ(w.request.totals.get(model::names::kCpu), 1.5);
  EXPECT_EQ(gpus_requested(w), 8u);
  EXPECT_EQ(gpus_held(w), 0u);
  EXPECT_THAT(w.allocation.nodes, IsEmpty());
}

TEST(ToWorkload, RunningPod) {
  auto status = scheduled("True", "", 1060);
  status.message(
      8, Message().text(1, "main").message(2, Message().message(2, Message().time(1, 1300))));
  const auto w =
      workload({.node = "n4", .phase = "Running", .cpu = "4", .gpus = "2", .status = status});
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_TRUE(w.reason.empty());
  EXPECT_TRUE(w.reason_text.empty());
  // It has waited for the scheduler, not for its images.
  EXPECT_EQ(w.start, Timestamp{1060});
  EXPECT_EQ(waited(w, Timestamp{9999}), Seconds{60});
  EXPECT_FALSE(w.end);
  EXPECT_EQ(gpus_held(w), 2u);
  EXPECT_THAT(w.allocation.nodes, ElementsAre(model::NodeId{4}));
  ASSERT_EQ(w.allocation.per_node.size(), 1u);
  const auto& here = w.allocation.per_node[0];
  EXPECT_EQ(here.cpus, 4u);
  EXPECT_EQ(here.memory, Bytes{0});
  ASSERT_EQ(here.gres.size(), 1u);
  EXPECT_EQ(here.gres[0].name, Symbol("gpu"));
  EXPECT_EQ(here.gres[0].total, 2u);
}

TEST(ToWorkload, BoundButNotRunningYet) {
  const auto w = workload({.node = "n4", .gpus = "1"});
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_TRUE(w.flags.has(WorkloadFlag::kConfiguring));
  EXPECT_EQ(gpus_held(w), 1u);
}

TEST(ToWorkload, TerminatingPodHoldsAllUntilItIsGone) {
  const auto w = workload({.node = "n4", .phase = "Running", .gpus = "1", .deleted = 2000});
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_TRUE(w.flags.has(WorkloadFlag::kCompleting));
  EXPECT_EQ(gpus_held(w), 1u);
}

TEST(ToWorkload, DeletedBeforeItRanHoldsNothing) {
  const auto w = workload({.gpus = "1", .deleted = 2000}, std::nullopt);
  EXPECT_EQ(w.state, WorkloadState::kPending);
  EXPECT_FALSE(holds_resources(w));
}

TEST(ToWorkload, PodsThatAreOverHoldNothing) {
  const auto done = workload({.node = "n4", .phase = "Succeeded", .gpus = "1", .deleted = 2000});
  EXPECT_EQ(done.state, WorkloadState::kCompleted);
  EXPECT_TRUE(is_finished(done));
  EXPECT_FALSE(holds_resources(done));
  EXPECT_EQ(gpus_held(done), 0u);
  EXPECT_THAT(done.allocation.nodes, IsEmpty());
  const auto failed =
      workload({.node = "n4", .phase = "Failed", .status = Message().text(4, "Evicted")});
  EXPECT_EQ(failed.state, WorkloadState::kFailed);
  EXPECT_EQ(failed.reason, Symbol("Evicted"));
}

TEST(ToWorkload, LostPod) {
  const auto w = workload({.node = "n4", .phase = "Unknown", .gpus = "1"});
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_EQ(full_state(w), "Unknown");
  EXPECT_EQ(gpus_held(w), 1u);
}

TEST(ToWorkload, OrphanHoldsNoNode) {
  const auto w = workload({.node = "gone", .phase = "Running", .gpus = "1"}, std::nullopt);
  EXPECT_EQ(w.state, WorkloadState::kRunning);
  EXPECT_EQ(w.pod->node_name, Symbol("gone"));
  EXPECT_THAT(w.allocation.nodes, IsEmpty());
  EXPECT_EQ(gpus_held(w), 0u);
  EXPECT_EQ(gpus_requested(w), 1u);
}

TEST(ToWorkload, GatedPodIsNotEligible) {
  const auto spec = Message().message(38, Message().text(1, "example.com/wait"));
  const auto w = workload({.spec = spec}, std::nullopt);
  EXPECT_EQ(w.submitted, Timestamp{1000});
  EXPECT_FALSE(w.eligible);
}

TEST(ToWorkload, NothingAskedIsNotTheWholeNode) {
  const auto w = workload({}, std::nullopt);
  EXPECT_EQ(w.request.cpus, 0u);
  EXPECT_EQ(w.request.memory_per, model::MemoryPer::kUnspecified);
  EXPECT_THAT(w.request.gres_per_node, IsEmpty());
}

// 0 means held where a Slurm job says it.
TEST(ToWorkload, LowPriorityIsNotHeld) {
  EXPECT_FALSE(workload({.priority = 0}).priority);
  const auto w = workload({.priority = -10});
  EXPECT_FALSE(w.priority);
  EXPECT_EQ(w.pod->priority, -10);
}

TEST(ToWorkload, SlicesSharesAndOtherDevices) {
  const auto mig = workload({.other = "nvidia.com/mig-1g.5gb"});
  EXPECT_THAT(mig.request.gres_per_node,
              ElementsAre(model::GresCount{Symbol("mig"), Symbol("1g.5gb"), 1}));
  EXPECT_EQ(mig.request.totals.get(Symbol("gres/mig:1g.5gb")), 1);
  EXPECT_EQ(gpus_requested(mig), 0u);
  const auto shared = workload({.gpus = "1", .other = "nvidia.com/gpu.shared"});
  EXPECT_EQ(gpus_requested(shared), 1u);
  const auto hca = workload({.other = "rdma/hca"});
  EXPECT_THAT(hca.request.gres_per_node,
              ElementsAre(model::GresCount{Symbol("rdma/hca"), Symbol(), 1}));
}

TEST(NodeUse, CountsWhatTheSchedulerCounts) {
  NodeUse use;
  use.add(*pod({.node = "n", .phase = "Running", .cpu = "1"}).pod);
  for (int i = 0; i < 53; ++i) {
    use.add(*pod({.node = "n", .phase = "Succeeded", .cpu = "2"}).pod);
  }
  EXPECT_EQ(use.requested().get(Symbol("cpu")), 1000);
  EXPECT_EQ(use.pods(), 1u);
  use.add(*pod({.node = "n", .phase = "Running", .cpu = "1", .deleted = 2000}).pod);
  use.add(*pod({.node = "n", .phase = "Running", .cpu = "1", .owner = "DaemonSet"}).pod);
  use.add(*pod({.node = "n", .phase = "Running", .cpu = "1", .owner = "Node"}).pod);
  EXPECT_EQ(use.requested().get(Symbol("cpu")), 4000);
  EXPECT_EQ(use.work_cpu(), 2000);
  EXPECT_EQ(use.pods(), 4u);
}

model::Node node(const std::string& name, const NodeUse& use = {}) {
  for (const auto& bytes : sample_items("nodes.pb.gz")) {
    auto decoded_node = decode_node(bytes);
    if (decoded_node && decoded_node->meta.name == name) {
      return to_node(*decoded_node, use, kGpus);
    }
  }
  ADD_FAILURE() << name;
  return {};
}

NodeUse held(PodText p) {
  p.phase = "Running";
  NodeUse use;
  use.add(*pod(std::move(p)).pod);
  return use;
}

TEST(ToNode, HealthyGpuNode) {
  const auto n = node("gpu-000", held({.cpu = "1500m", .gpus = "3", .memory = "1Gi"}));
  EXPECT_EQ(n.name, Symbol("gpu-000"));
  EXPECT_EQ(n.state, NodeState::kMixed);
  EXPECT_FALSE(n.flags.any());
  EXPECT_FALSE(n.reason);
  EXPECT_EQ(n.cpus, 192u);
  EXPECT_EQ(n.cpus_effective, 192u);
  EXPECT_EQ(n.cpus_allocated, 2u);
  EXPECT_EQ(n.memory, Bytes{std::int64_t{2} << 40});
  EXPECT_EQ(n.memory_reserved, Bytes{0});
  EXPECT_EQ(n.memory_allocated, Bytes{1 << 30});
  EXPECT_EQ(gpus_total(n), 8u);
  EXPECT_EQ(gpus_used(n), 3u);
  ASSERT_EQ(n.gres.size(), 2u);
  EXPECT_EQ(n.gres[0].type, Symbol("NVIDIA-H100-80GB-HBM3"));
  EXPECT_EQ(n.gres[1].name, Symbol("rdma/hca"));
  EXPECT_EQ(n.gres[1].used, 0u);
  EXPECT_EQ(n.address, "10.1.0.1");
  EXPECT_TRUE(n.object);
}

TEST(ToNode, GpuNodesAreAsFullAsTheirGpus) {
  EXPECT_EQ(node("gpu-000").state, NodeState::kIdle);
  EXPECT_EQ(node("gpu-000", held({.cpu = "192"})).state, NodeState::kIdle);
  EXPECT_EQ(node("gpu-000", held({.gpus = "8"})).state, NodeState::kAllocated);
  EXPECT_EQ(node("odd-mig", held({.other = "nvidia.com/mig-1g.10gb"})).state, NodeState::kMixed);
}

TEST(ToNode, OtherNodesAreAsFullAsTheirCpus) {
  EXPECT_EQ(node("odd-cpu").state, NodeState::kIdle);
  EXPECT_EQ(node("odd-cpu", held({.cpu = "1", .owner = "DaemonSet"})).state, NodeState::kIdle);
  EXPECT_EQ(node("odd-cpu", held({.cpu = "1"})).state, NodeState::kMixed);
  const auto full = node("odd-cpu", held({.cpu = "7910m"}));
  EXPECT_EQ(full.state, NodeState::kAllocated);
  EXPECT_EQ(full.cpus, 8u);
  EXPECT_EQ(full.cpus_effective, 7u);
  EXPECT_EQ(full.memory, Bytes{std::int64_t{32} << 30});
  EXPECT_EQ(full.memory_reserved, Bytes{std::int64_t{2} << 30});
}

TEST(ToNode, CordonedIsDrained) {
  const auto n = node("odd-cordoned");
  EXPECT_TRUE(n.flags.has(NodeFlag::kDrain));
  EXPECT_EQ(bucket(n), NodeBucket::kDrained);
  ASSERT_TRUE(n.reason);
  EXPECT_EQ(n.reason->text, "cordoned");
  EXPECT_EQ(n.reason->since, Timestamp{1700000200});
  EXPECT_EQ(bucket(node("odd-cordoned", held({.gpus = "1"}))), NodeBucket::kDraining);
}

TEST(ToNode, NotReadyIsDown) {
  const auto n = node("odd-notready", held({.gpus = "1"}));
  EXPECT_EQ(n.state, NodeState::kDown);
  EXPECT_FALSE(n.flags.has(NodeFlag::kNotResponding));
  EXPECT_EQ(n.reason->text, "KubeletNotReady: PLEG is not healthy");
  EXPECT_EQ(n.reason->since, Timestamp{1700000100});
  EXPECT_EQ(gpus_used(n), 1u);
}

TEST(ToNode, SilentKubelet) {
  const auto n = node("odd-unreachable");
  EXPECT_EQ(n.state, NodeState::kDown);
  EXPECT_TRUE(n.flags.has(NodeFlag::kNotResponding));
  EXPECT_FALSE(in_service(n));
}

TEST(ToNode, NodeThatHasNotReported) {
  const auto n = node("odd-new");
  EXPECT_EQ(n.state, NodeState::kUnknown);
  EXPECT_FALSE(in_service(n));
}

TEST(ToNode, UnhealthyDevicesDoNotVanish) {
  const auto n = node("odd-unhealthy");
  EXPECT_EQ(gpus_total(n), 7u);
  EXPECT_EQ(n.object->capacity.get(Symbol("nvidia.com/gpu")), 8);
  const auto dead = node("odd-dead-gpus");
  ASSERT_EQ(dead.gres.size(), 1u);
  EXPECT_EQ(dead.gres[0].name, Symbol("gpu"));
  EXPECT_EQ(dead.gres[0].total, 0u);
  EXPECT_EQ(dead.gres[0].used, 0u);
}

TEST(ToNode, MigNodeKeepsItsSlices) {
  const auto n = node("odd-mig", held({.other = "nvidia.com/mig-3g.40gb"}));
  std::vector<std::string> pools;
  for (const auto& p : n.gres) {
    pools.push_back(fmt::format("{}:{} {}/{}", p.name.view(), p.type.view(), *p.used, p.total));
  }
  EXPECT_THAT(pools,
              ElementsAre("kubernetes.io/network-bandwidth: 0/1048576",
                          "gpu:NVIDIA-A100-SXM4-80GB 0/0", "mig:1g.10gb 0/4", "mig:3g.40gb 1/2"));
}

}  // namespace
}  // namespace schedlens::kube
