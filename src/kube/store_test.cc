// SPDX-License-Identifier: Apache-2.0
#include "kube/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/samples_test.h"
#include "model/kubernetes.h"

namespace schedlens::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct Shown {
  model::Snapshot snapshot;
  model::Kubernetes kubernetes;
};

Shown shown(const Store& store) {
  Shown s;
  store.fill(s.snapshot, s.kubernetes);
  return s;
}

std::vector<std::string> names(const Store& store) {
  std::vector<std::string> all;
  for (const auto& w : shown(store).snapshot.workloads) all.push_back(w.name);
  return all;
}

std::string pod(const char* name, const char* node = "", const char* phase = "Pending") {
  const auto requests = Message().amount(2, "nvidia.com/gpu", "2");
  auto spec = Message().message(2, Message().text(1, "main").message(8, requests));
  if (*node) spec.text(10, node);
  return Message()
      .message(1, Message().text(1, name).text(3, "ml"))
      .message(2, spec)
      .message(3, Message().text(1, phase))
      .bytes();
}

std::string node(const char* name) {
  const auto status = Message()
                          .amount(1, "nvidia.com/gpu", "8")
                          .amount(2, "nvidia.com/gpu", "8")
                          .amount(2, "cpu", "64");
  return Message().message(1, Message().text(1, name)).message(3, status).bytes();
}

// A pod that names itself and then breaks off in the middle of its spec.
std::string broken_pod(const char* name) {
  auto bytes = Message().message(1, Message().text(1, name).text(3, "ml")).bytes();
  return bytes + std::string("\x12\x02\x12\x7f", 4);
}

void list(Sink& sink, const std::vector<std::string>& objects) {
  sink.begin_list();
  for (const auto& object : objects) EXPECT_TRUE(sink.take(object));
  sink.end_list();
}

TEST(Store, HalfAListIsNoCluster) {
  Store store;
  auto& pods = *store.sink("pods");
  pods.begin_list();
  EXPECT_TRUE(pods.take(pod("a")));
  EXPECT_THAT(names(store), SizeIs(0));
  EXPECT_TRUE(pods.take(pod("b")));
  pods.end_list();
  EXPECT_THAT(names(store), ElementsAre("a", "b"));
}

TEST(Store, WhatAListDoesNotBringIsGoneWhenItEndsAndNotBefore) {
  Store store;
  auto& pods = *store.sink("pods");
  list(pods, {pod("a"), pod("b"), pod("c")});
  pods.begin_list();
  EXPECT_TRUE(pods.take(pod("b")));
  EXPECT_THAT(names(store), ElementsAre("a", "b", "c"));
  // Broken off and begun anew.
  pods.begin_list();
  EXPECT_TRUE(pods.take(pod("c")));
  pods.end_list();
  EXPECT_THAT(names(store), ElementsAre("c"));
}

TEST(Store, ChangesAndDeletionsFollowTheList) {
  Store store;
  auto& pods = *store.sink("pods");
  list(pods, {pod("a"), pod("b")});
  EXPECT_TRUE(pods.remove(pod("a")));
  EXPECT_TRUE(pods.take(pod("b", "n1", "Running")));
  EXPECT_TRUE(pods.remove(pod("never-seen")));
  ASSERT_THAT(names(store), ElementsAre("b"));
  EXPECT_EQ(shown(store).snapshot.workloads[0].state, model::WorkloadState::kRunning);
}

std::string scheduled_pod(const char* name, std::int64_t when) {
  const auto scheduled = Message()
                             .text(1, "PodScheduled")
                             .text(2, "True")
                             .message(4, Message().number(1, static_cast<std::uint64_t>(when)));
  return Message()
      .message(1, Message().text(1, name).text(3, "ml"))
      .message(2, Message().text(10, "n1"))
      .message(3, Message().text(1, "Running").message(2, scheduled))
      .bytes();
}

TEST(Store, TellsForAWhileOfPodsThatStartedAndAreGone) {
  constexpr std::int64_t kNow = 1'800'000'000;
  Store store;
  auto& pods = *store.sink("pods");
  list(pods, {pod("never-started"), scheduled_pod("deleted", kNow), scheduled_pod("missed", kNow)});
  EXPECT_TRUE(pods.remove(scheduled_pod("deleted", kNow)));
  list(pods, {});
  const auto gone_at = [&](std::int64_t time) {
    Shown s;
    s.snapshot.time = {time};
    store.fill(s.snapshot, s.kubernetes);
    EXPECT_TRUE(s.snapshot.workloads.empty());
    std::vector<std::string> all;
    for (const auto& w : std::as_const(s.kubernetes.gone_pods)) all.push_back(w.name);
    return all;
  };
  EXPECT_THAT(gone_at(kNow + 10), ElementsAre("deleted", "missed"));
  EXPECT_THAT(gone_at(kNow + 100), ElementsAre("deleted", "missed"));
  EXPECT_THAT(gone_at(kNow + 200), ElementsAre());
}

// What has not changed is held once, and an older Snapshot keeps what it showed.
TEST(Store, SnapshotsShareWhatHasNotChanged) {
  Store store;
  list(*store.sink("nodes"), {node("n2")});
  list(*store.sink("pods"), {pod("a", "n2", "Running"), pod("b", "n2", "Running"), pod("c")});
  const auto first = shown(store).snapshot;
  EXPECT_TRUE(store.sink("pods")->take(pod("b", "n2", "Succeeded")));
  const auto second = shown(store).snapshot;
  EXPECT_EQ(&first.workloads[0], &second.workloads[0]);
  EXPECT_EQ(&first.workloads[2], &second.workloads[2]);
  EXPECT_EQ(first.workloads[1].state, model::WorkloadState::kRunning);
  EXPECT_EQ(second.workloads[1].state, model::WorkloadState::kCompleted);

  // Another node comes before: places move, in the new Snapshot only.
  EXPECT_TRUE(store.sink("nodes")->take(node("n1")));
  const auto third = shown(store).snapshot;
  EXPECT_THAT(first.workloads[0].allocation.nodes, ElementsAre(model::NodeId{0}));
  EXPECT_THAT(third.workloads[0].allocation.nodes, ElementsAre(model::NodeId{1}));
  EXPECT_EQ(third.workloads[0].allocation.per_node.at(0).node, model::NodeId{1});
  EXPECT_EQ(&second.workloads[1], &third.workloads[1]);
  EXPECT_EQ(&second.workloads[2], &third.workloads[2]);
  EXPECT_THAT(third.workloads[2].queues, SizeIs(0));  // it names no scheduler

  EXPECT_TRUE(store.sink("nodes")->remove(node("n2")));
  EXPECT_THAT(shown(store).snapshot.workloads[0].allocation.nodes, SizeIs(0));
}

TEST(Store, AnObjectThatCannotBeReadKeepsWhatItLastSaid) {
  Store store;
  auto& pods = *store.sink("pods");
  list(pods, {pod("a", "n1", "Running")});
  pods.begin_list();
  const auto taken = pods.take(broken_pod("a"));
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message(), HasSubstr("ml/a"));
  pods.end_list();
  ASSERT_THAT(names(store), ElementsAre("a"));
  EXPECT_EQ(shown(store).snapshot.workloads[0].state, model::WorkloadState::kRunning);
}

TEST(Store, NodesCountWhatPodsHoldThere) {
  Store store;
  list(*store.sink("nodes"), {node("n2"), node("n1")});
  list(*store.sink("pods"), {pod("runs", "n1", "Running"), pod("over", "n1", "Succeeded"),
                             pod("orphan", "n9", "Running"), pod("waits")});
  const auto s = shown(store).snapshot;
  ASSERT_THAT(s.nodes, SizeIs(2));
  EXPECT_EQ(s.nodes[0].name.view(), "n1");
  EXPECT_EQ(model::gpus_used(s.nodes[0]), 2u);
  EXPECT_EQ(model::gpus_used(s.nodes[1]), 0u);
  EXPECT_EQ(s.workloads[0].name, "orphan");
  EXPECT_THAT(s.workloads[0].allocation.nodes, SizeIs(0));
  EXPECT_THAT(s.queues, SizeIs(1));
  EXPECT_THAT(s.queues[0].nodes, SizeIs(2));
}

TEST(Store, WhatWasNotReadIsAbsentAndNotEmpty) {
  Store store;
  list(*store.sink("resourcequotas"), {});
  const auto k = shown(store).kubernetes;
  ASSERT_TRUE(k.quotas);
  EXPECT_THAT(*k.quotas, SizeIs(0));
  EXPECT_FALSE(k.namespaces);
  EXPECT_FALSE(k.events);
  EXPECT_FALSE(k.resource_claims);
  EXPECT_EQ(store.sink("secrets"), nullptr);
}

TEST(Store, AnEmptySelectorOfABudgetIsReadAsTheServersVersionHasIt) {
  const auto budget = Message()
                          .message(1, Message().text(1, "b"))
                          .message(2, Message().text(1, "").message(2, Message()));
  for (const bool beta : {false, true}) {
    Store store;
    auto& budgets = *store.sink("poddisruptionbudgets");
    budgets.use_version(beta ? "policy/v1beta1" : "policy/v1");
    list(budgets, {budget.bytes()});
    const auto k = shown(store).kubernetes;
    ASSERT_THAT(*k.disruption_budgets, SizeIs(1));
    EXPECT_EQ(k.disruption_budgets->front().pods.has_value(), !beta);
  }
}

TEST(Store, KeepsTheEventsThatTellOfSchedulingInEitherForm) {
  const auto core = [](const char* name, const char* reason) {
    const auto about = Message().text(1, "Pod").text(2, "ml").text(3, "p");
    return Message()
        .message(1, Message().text(1, name).text(3, "ml"))
        .message(2, about)
        .text(3, reason)
        .text(4, "0/1 nodes are available")
        .bytes();
  };
  Store store;
  auto& events = *store.sink("events");
  events.use_version("v1");
  list(events, {core("e1", "FailedScheduling"), core("e2", "Unhealthy")});
  const auto k = shown(store).kubernetes;
  ASSERT_THAT(*k.events, SizeIs(1));
  EXPECT_EQ(k.events->front().reason.view(), "FailedScheduling");
  EXPECT_EQ(k.events->front().note, "0/1 nodes are available");
}

// Some schedulers write an event for each node about each pod, and write them again and again.
TEST(Store, AFloodOfEventsIsNotKept) {
  const auto event = [](int n, const char* reason, int pod) {
    const auto about =
        Message().text(1, "Pod").text(2, "ml").text(3, "p" + std::to_string(pod)).text(4, "u");
    return Message()
        .message(1, Message().text(1, "e" + std::to_string(n)).text(3, "ml"))
        .message(2, about)
        .text(3, reason)
        .text(4, "node n: no fitting card")
        .bytes();
  };
  Store store;
  auto& events = *store.sink("events");
  events.use_version("v1");
  list(events, {});
  for (int n = 0; n < 1000; ++n) EXPECT_TRUE(events.take(event(n, "FilteringFailed", n % 10)));
  EXPECT_THAT(*shown(store).kubernetes.events, SizeIs(0));
}

}  // namespace
}  // namespace schedlens::kube
