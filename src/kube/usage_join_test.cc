// SPDX-License-Identifier: Apache-2.0
#include "kube/usage_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/pod.h"

namespace schedlens::kube {
namespace {

using model::NodeId;
using model::WorkloadId;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kNow = 1'800'000'000;

// Two nodes; pods of the namespace ml.
struct Cluster {
  model::Snapshot s;
  LastMeasured last;

  Cluster() {
    s.time = {kNow};
    for (const char* name : {"n1", "n2"}) {
      s.nodes.emplace_back();
      s.nodes.back().name = Symbol(name);
    }
  }

  WorkloadId pod(std::string name, std::uint32_t node, std::int64_t gpus = 1) {
    auto pod = std::make_shared<model::Pod>();
    pod->ns = Symbol("ml");
    pod->uid = "uid-" + name;
    pod->spec = std::make_shared<model::PodSpec>();
    if (gpus > 0) pod->request.set(Symbol("nvidia.com/gpu"), gpus);
    pod->phase = model::PodPhase::kRunning;
    model::Workload w;
    w.name = std::move(name);
    w.state = model::WorkloadState::kRunning;
    w.start = Timestamp{kNow - 1000};
    w.allocation.nodes = {{node}};
    w.pod = pod;
    s.workloads.push_back(std::move(w));
    return {static_cast<std::uint32_t>(s.workloads.size() - 1)};
  }

  static model::Use use(double cpu, std::int64_t age) {
    model::Use use;
    use.cpu = cpu;
    use.memory = Bytes{1000};
    use.sampled = Timestamp{kNow - age};
    return use;
  }
  void measured(std::string name, model::Use use, std::string uid = "") {
    if (!last.metrics_api) last.metrics_api.emplace();
    last.metrics_api->pods.push_back({"ml", std::move(name), std::move(uid), use});
  }
  void device(std::string uuid, std::vector<std::string> holders, std::string node = "n1") {
    if (!last.gpus) last.gpus.emplace();
    MeasuredGpu gpu;
    gpu.gpu.uuid = std::move(uuid);
    gpu.gpu.pods_known = true;
    gpu.holders = std::move(holders);
    last.gpus->push_back({std::move(node), {gpu}});
  }
  std::shared_ptr<const model::Usage> join() const { return join_usage(last, s); }
};

TEST(JoinUsage, WhatNobodyWasAskedForIsAbsent) {
  Cluster c;
  c.pod("a", 0);
  EXPECT_FALSE(c.join()->pods);
  EXPECT_FALSE(c.join()->gpus);
  c.device("GPU-a", {});
  EXPECT_FALSE(c.join()->pods);
  EXPECT_TRUE(c.join()->gpus);
}

TEST(JoinUsage, PodsThatAreOverUseNothing) {
  Cluster c;
  const auto over = c.pod("over", 0);
  c.s.workloads[over.index].state = model::WorkloadState::kCompleted;
  const auto runs = c.pod("runs", 0);
  c.measured("over", Cluster::use(1, 5));
  c.measured("runs", Cluster::use(2, 5));
  c.measured("nobody", Cluster::use(3, 5));
  const auto usage = c.join();
  ASSERT_EQ(usage->pods->size(), 1u);
  EXPECT_DOUBLE_EQ(*usage->of_pod(runs)->cpu, 2);
  EXPECT_EQ(usage->of_pod(over), nullptr);
}

TEST(JoinUsage, APredecessorOfTheSameNameIsAnotherPod) {
  Cluster c;
  c.pod("a", 0);
  c.measured("a", Cluster::use(1, 5), "uid-of-before");
  c.measured("a", Cluster::use(2, 2000));  // before it started
  EXPECT_THAT(*c.join()->pods, IsEmpty());
  c.measured("a", Cluster::use(3, 5), "uid-a");
  EXPECT_EQ(c.join()->pods->size(), 1u);
}

TEST(JoinUsage, AStaticPodHasAnotherUidOnItsNode) {
  Cluster c;
  const auto id = c.pod("etcd-n1", 0, 0);
  auto pod = std::make_shared<model::Pod>(*c.s.workloads[id.index].pod);
  pod->owner = model::OwnerReference{Symbol("Node"), "n1", "x"};
  c.s.workloads[id.index].pod = pod;
  c.measured("etcd-n1", Cluster::use(1, 5), "hash-of-the-manifest");
  EXPECT_EQ(c.join()->pods->size(), 1u);
}

TEST(JoinUsage, TheWholeValueCountsAndThenTheNewest) {
  Cluster c;
  const auto pod = c.pod("a", 0);
  auto half = Cluster::use(9, 1);
  half.cpu.reset();
  c.measured("a", half);
  c.measured("a", Cluster::use(1, 30));
  c.measured("a", Cluster::use(2, 10));
  EXPECT_DOUBLE_EQ(*c.join()->of_pod(pod)->cpu, 2);
}

TEST(JoinUsage, NodesByName) {
  Cluster c;
  c.last.kubelets.emplace();
  c.last.kubelets->emplace_back().nodes.push_back({"n2", Cluster::use(4, 5)});
  EXPECT_DOUBLE_EQ(*c.join()->of_node({1})->cpu, 4);
  EXPECT_EQ(c.join()->of_node({0}), nullptr);
}

TEST(JoinUsage, DevicesOfPodsThatTakeTurns) {
  Cluster c;
  const auto a = c.pod("a", 0), b = c.pod("b", 0);
  c.device("GPU-a", {"ml/a", "ml/b"});
  const auto usage = c.join();
  EXPECT_THAT((*usage->gpus)[0].pods, ElementsAre(a, b));
  EXPECT_EQ((*usage->gpus)[0].node, NodeId{0});
}

// The page is newer or older than the Snapshot, or the Snapshot is of one namespace.
TEST(JoinUsage, APodThatCannotHoldItLeavesOpenWhoDoes) {
  Cluster c;
  const auto over = c.pod("over", 0);
  c.s.workloads[over.index].state = model::WorkloadState::kCompleted;
  c.device("GPU-a", {"ml/over"});
  c.device("GPU-b", {"ml/gone"});
  const auto usage = c.join();
  for (const auto& gpu : *usage->gpus) {
    EXPECT_THAT(gpu.pods, IsEmpty());
    EXPECT_FALSE(gpu.pods_known);
  }
}

// An idle device on a page of Prometheus bears the name of the exporter alone, which asks for none.
TEST(JoinUsage, TheExporterItselfHoldsNothing) {
  Cluster c;
  c.pod("dcgm-exporter-1", 0, 0);
  c.device("GPU-a", {"ml/dcgm-exporter-1"});
  EXPECT_THAT((*c.join()->gpus)[0].pods, IsEmpty());
  EXPECT_TRUE((*c.join()->gpus)[0].pods_known);
}

TEST(JoinUsage, APodOfAnotherNodeDoesNotHoldIt) {
  Cluster c;
  c.pod("a", 1);
  c.device("GPU-a", {"ml/a"}, "n1");
  EXPECT_THAT((*c.join()->gpus)[0].pods, IsEmpty());
}

TEST(JoinUsage, TheNodeOfADeviceIsThatOfItsPodWhereNobodySays) {
  Cluster c;
  c.pod("a", 1);
  c.device("GPU-a", {"ml/a"}, "");
  c.device("GPU-a", {"ml/a"}, "");  // the same exporter by another address
  const auto usage = c.join();
  ASSERT_EQ(usage->gpus->size(), 1u);
  EXPECT_EQ((*usage->gpus)[0].node, NodeId{1});
}

}  // namespace
}  // namespace schedlens::kube
