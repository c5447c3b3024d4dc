// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_state.h"

#include <gmock/gmock.h>

#include "kube/decode_pod_detail.h"
#include "kube/samples_test.h"
#include "kube/store.h"
#include "model/kubernetes.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

using model::StateKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

Message meta(const char* name) {
  return Message().text(1, name).text(3, "ml").number(7, 4).time(8, 1'700'000'000);
}

TEST(DecodeState, ARollingUpdatesPercentagesAreOfTheReplicas) {
  const auto count_or_share = [](const char* share) {
    return Message().number(1, 1).text(3, share);
  };
  const auto update = Message().message(1, count_or_share("25%")).message(2, count_or_share("25%"));
  const auto spec = Message().number(1, 5).message(4, Message().message(2, update)).number(7, 1);
  const auto status = Message().number(1, 3).number(2, 5).number(4, 2).number(5, 3).message(
      6, Message().text(1, "Available").text(2, "False").text(4, "MinimumReplicasUnavailable"));
  const auto d = decode_deployment_state(
      Message().message(1, meta("web")).message(2, spec).message(3, status).bytes());
  ASSERT_TRUE(d) << d.error().message();
  EXPECT_EQ(d->meta.generation, 4);
  EXPECT_EQ(d->observed_generation, 3);
  EXPECT_EQ(d->wanted, 5);
  EXPECT_EQ(d->max_unavailable, 1);
  EXPECT_EQ(d->max_surge, 2);
  EXPECT_TRUE(d->paused);
  EXPECT_EQ(d->available, 2);
  ASSERT_THAT(d->conditions, SizeIs(1));
  EXPECT_EQ(d->conditions[0].reason.view(), "MinimumReplicasUnavailable");
}

TEST(DecodeState, ADeploymentThatRecreatesHasNoSteps) {
  const auto spec = Message().number(1, 5).message(4, Message().text(1, "Recreate"));
  const auto d =
      decode_deployment_state(Message().message(1, meta("web")).message(2, spec).bytes());
  ASSERT_TRUE(d);
  EXPECT_FALSE(d->max_unavailable);
  EXPECT_FALSE(d->max_surge);
}

TEST(DecodeState, AnAutoscalersFiveSortsOfMetrics) {
  const auto quantity = [](const char* text) { return Message().text(1, text); };
  const auto named = Message().text(1, "packets");
  const auto utilization = Message().text(1, "Utilization").number(4, 60);
  const auto average = Message().text(1, "AverageValue").message(3, quantity("1500m"));
  const auto value = Message().text(1, "Value").message(2, quantity("10k"));
  const auto metric = [](std::uint32_t place, const Message& source) {
    return Message().text(1, "any").message(place, source);
  };
  const auto spec = Message()
                        .number(3, 9)
                        .message(4, metric(4, Message().text(1, "cpu").message(2, utilization)))
                        .message(4, metric(7, Message().text(1, "memory").message(2, average)))
                        .message(4, metric(3, Message().message(1, named).message(2, average)))
                        .message(4, metric(2, Message().message(2, value).message(3, named)))
                        .message(4, metric(5, Message().message(1, named).message(2, value)));
  const auto seen =
      Message().message(5, metric(4, Message().text(1, "cpu").message(
                                         2, Message().message(2, quantity("130m")).number(3, 87))));
  const auto a = decode_autoscaler_state(
      Message().message(1, meta("web")).message(2, spec).message(3, seen).bytes());
  ASSERT_TRUE(a) << a.error().message();
  EXPECT_FALSE(a->min);
  ASSERT_THAT(a->targets, SizeIs(5));
  EXPECT_EQ(a->targets[0].name, "cpu");
  EXPECT_EQ(a->targets[0].utilization, 60);
  EXPECT_EQ(a->targets[1].average, 1.5);
  EXPECT_EQ(a->targets[2].name, "packets");
  EXPECT_EQ(a->targets[3].name, "packets");
  EXPECT_EQ(a->targets[3].value, 10'000);
  EXPECT_EQ(a->targets[4].value, 10'000);
  ASSERT_THAT(a->seen, SizeIs(1));
  EXPECT_EQ(a->seen[0].average, 0.13);
  EXPECT_EQ(a->seen[0].utilization, 87);
}

TEST(DecodeState, AVolumesSourceIsTextByLabel) {
  const auto fc = Message().text(1, "wwn1").text(1, "wwn2").number(2, 3);
  const auto spec = Message()
                        .amount(1, "storage", "5Gi")
                        .message(2, Message().message(10, fc))
                        .message(4, Message().text(2, "ml").text(3, "data"));
  const auto v = decode_volume_state(Message().message(1, meta("pv")).message(2, spec).bytes());
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->capacity_bytes, std::int64_t{5} << 30);
  EXPECT_EQ(v->claim->name, "data");
  EXPECT_THAT(v->source, ElementsAre(Pair(Symbol("fc_target_wwns"), "wwn1,wwn2"),
                                     Pair(Symbol("fc_lun"), "3")));
}

TEST(DecodeState, WhatIsWrongIsAnErrorWithItsPlace) {
  const auto quota = Message().message(1, meta("q")).message(3, Message().amount(1, "cpu", "much"));
  EXPECT_THAT(decode_quota_state(quota.bytes()).error().message(), HasSubstr("status.hard"));
  for (const auto& pod : sample_items("pods.pb.gz")) {
    TemplatePool templates;
    for (std::size_t length = 0; length < pod.size(); length += 97) {
      (void)decode_pod_detail(std::string_view(pod).substr(0, length), templates);
    }
  }
}

TEST(DecodeState, PodsOfOneTemplateShareIt) {
  TemplatePool templates;
  std::vector<model::PodDetailPtr> details;
  for (const auto& pod : sample_items("pods.pb.gz")) {
    auto detail = decode_pod_detail(pod, templates);
    ASSERT_TRUE(detail) << detail.error().message();
    EXPECT_FALSE((*detail)->made_from->containers.empty());
    details.push_back(*detail);
  }
  EXPECT_LT(templates.size(), details.size());
  bool shared = false;
  for (std::size_t i = 1; i < details.size(); ++i) {
    shared = shared || details[i]->made_from == details[i - 1]->made_from;
  }
  EXPECT_TRUE(shared);
}

TEST(DecodeState, DetailsAreKeptOfChosenKindsAlone) {
  const auto fill = [](Store& store) {
    for (const auto* name : {"pods", "nodes"}) {
      auto* sink = store.sink(name);
      sink->begin_list();
      for (const auto& object : sample_items(std::string(name) + ".pb.gz")) {
        EXPECT_TRUE(sink->take(object));
      }
      sink->end_list();
    }
  };
  Store plain, detailed;
  model::StateChoice choice;
  ASSERT_TRUE(model::read_state_kinds("pods,nodes,cronjobs", choice));
  ASSERT_TRUE(model::read_state_labels("nodes=[kubernetes.io/hostname]", choice));
  detailed.keep_details(choice);
  EXPECT_EQ(plain.sink("cronjobs"), nullptr);
  EXPECT_EQ(detailed.sink("horizontalpodautoscalers"), nullptr);
  ASSERT_NE(detailed.sink("cronjobs"), nullptr);
  fill(plain);
  fill(detailed);
  model::Snapshot without, with;
  model::Kubernetes kubernetes_without, kubernetes_with;
  plain.fill(without, kubernetes_without);
  detailed.fill(with, kubernetes_with);
  EXPECT_EQ(kubernetes_without.state, nullptr);
  for (const auto& w : without.workloads) EXPECT_EQ(w.pod->detail, nullptr);
  for (const auto& w : with.workloads) EXPECT_NE(w.pod->detail, nullptr);
  ASSERT_NE(kubernetes_with.state, nullptr);
  ASSERT_TRUE(kubernetes_with.state->nodes);
  EXPECT_EQ(kubernetes_with.state->nodes->size(), with.nodes.size());
  EXPECT_THAT(kubernetes_with.state->nodes->front()->meta.labels, SizeIs(1));
  EXPECT_FALSE(kubernetes_with.state->cron_jobs);  // not read yet
  EXPECT_FALSE(kubernetes_with.state->jobs);       // not chosen
}

}  // namespace
}  // namespace schedlens::kube
