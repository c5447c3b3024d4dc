// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_pod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>

#include "base/text.h"
#include "base/time_text.h"
#include "kube/samples_test.h"
#include "kube/spec_pool.h"
#include "model/pod.h"

namespace schedlens::kube {
namespace {

using model::LabelOperator;
using model::TaintEffect;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

DecodedPod decode(const Message& pod) {
  SpecPool specs;
  auto result = decode_pod(pod.bytes(), specs);
  EXPECT_TRUE(result) << result.error().message();
  return std::move(*result);
}

DecodedPod with_spec(const Message& spec) {
  return decode(Message().message(1, Message().text(1, "p").text(3, "ns")).message(2, spec));
}

std::string text(simdjson::simdjson_result<simdjson::dom::element> value) {
  std::string_view view;
  return value.get(view) ? "" : std::string(view);
}

// "2026-11-30T03:20:38Z" of a moment that may be absent.
std::string text(std::optional<Timestamp> moment) {
  return moment ? iso8601(*moment) : "";
}

std::string time_of(simdjson::dom::element condition) {
  return text(condition["lastTransitionTime"]);
}

void expect_same_meta(simdjson::dom::element json, const DecodedPod& pod) {
  const auto meta = json["metadata"];
  EXPECT_EQ(text(meta["namespace"]), pod.meta.ns.view());
  EXPECT_EQ(text(meta["uid"]), pod.pod->uid);
  EXPECT_EQ(text(meta["creationTimestamp"]), text(pod.created));
  EXPECT_EQ(text(meta["deletionTimestamp"]), text(pod.pod->deleting));
  std::size_t labels = 0;
  for (const auto label : simdjson::dom::object(meta["labels"])) {
    const auto* value = pod.pod->labels.find(Symbol(label.key));
    ASSERT_TRUE(value) << label.key;
    EXPECT_EQ(*value, std::string_view(label.value));
    ++labels;
  }
  EXPECT_EQ(pod.pod->labels.items().size(), labels);
  simdjson::dom::array managed;
  std::string written;
  if (!meta["managedFields"].get(managed)) {
    for (const auto entry : managed) {
      if (text(entry["manager"]) == "kube-scheduler" && text(entry["subresource"]) == "status") {
        written = text(entry["time"]);
      }
    }
  }
  EXPECT_EQ(written, text(pod.pod->condition_written));
}

void expect_same_spec(simdjson::dom::element json, const model::Pod& pod) {
  const auto spec = json["spec"];
  EXPECT_EQ(text(spec["nodeName"]), pod.node_name.view());
  EXPECT_EQ(text(spec["schedulerName"]), pod.spec->scheduler.view());
  EXPECT_EQ(text(spec["priorityClassName"]), pod.spec->priority_class.view());
  EXPECT_EQ(std::int64_t(spec["priority"]), pod.priority);
  EXPECT_EQ(text(spec["preemptionPolicy"]) == "Never", pod.spec->never_preempts);
  ASSERT_TRUE(pod.spec->grace);
  EXPECT_EQ(std::int64_t(spec["terminationGracePeriodSeconds"]), pod.spec->grace->value);
  std::int64_t limit = 0;
  EXPECT_EQ(!spec["activeDeadlineSeconds"].get(limit), pod.spec->run_limit.has_value());
  EXPECT_EQ(limit, pod.spec->run_limit.value_or(Seconds{0}).value);
  EXPECT_THAT(pod.spec->tolerations, SizeIs(simdjson::dom::array(spec["tolerations"]).size()));
  simdjson::dom::object selector;
  EXPECT_EQ(spec["nodeSelector"].get(selector) ? 0 : selector.size(),
            pod.spec->node_selector.size());
  simdjson::dom::array gates;
  EXPECT_EQ(spec["schedulingGates"].get(gates) ? 0 : gates.size(), pod.gates.size());
}

void expect_same_status(simdjson::dom::element json, const DecodedPod& pod) {
  const auto status = json["status"];
  static const std::map<std::string, model::PodPhase> kPhases = {
      {"Pending", model::PodPhase::kPending}, {"Running", model::PodPhase::kRunning}};
  EXPECT_EQ(kPhases.at(text(status["phase"])), pod.pod->phase);
  EXPECT_EQ(text(status["nominatedNodeName"]), pod.pod->nominated_node.view());
  std::string started;
  simdjson::dom::array containers;
  if (!status["containerStatuses"].get(containers)) {
    started = text(containers.at(0)["state"]["running"]["startedAt"]);
  }
  EXPECT_EQ(started, text(pod.started));
  EXPECT_FALSE(pod.finished);
  simdjson::dom::array conditions;
  if (status["conditions"].get(conditions)) return;
  ASSERT_EQ(conditions.size(), pod.pod->conditions.size());
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto want = conditions.at(i).value();
    const auto& have = pod.pod->conditions[i];
    EXPECT_EQ(text(want["type"]), have.type.view());
    EXPECT_EQ(text(want["status"]) == "True", have.status);
    EXPECT_EQ(text(want["reason"]), have.reason.view());
    EXPECT_EQ(text(want["message"]), *have.message);
    EXPECT_EQ(time_of(want), text(have.since));
    if (text(want["type"]) == "PodScheduled" && have.status) {
      EXPECT_EQ(time_of(want), text(pod.scheduled));
    }
  }
}

// The same list in both encodings.
TEST(DecodePod, HowLongItMayRun) {
  const auto pod = with_spec(Message().number(4, 90).number(5, 7200)).pod;
  EXPECT_EQ(pod->spec->grace, Seconds{90});
  EXPECT_EQ(pod->spec->run_limit, Seconds{7200});
  EXPECT_FALSE(with_spec(Message()).pod->spec->run_limit);
}

TEST(DecodePod, AgreesWithJson) {
  simdjson::dom::parser parser;
  const auto json = sample("pods.json.gz");
  const auto list = parser.parse(json).value();
  const auto pods = sample_items("pods.pb.gz");
  SpecPool specs;
  std::size_t i = 0;
  for (const auto item : simdjson::dom::array(list["items"])) {
    SCOPED_TRACE(text(item["metadata"]["name"]));
    ASSERT_LT(i, pods.size());
    const auto pod = decode_pod(pods[i++], specs);
    ASSERT_TRUE(pod) << pod.error().message();
    ASSERT_EQ(text(item["metadata"]["name"]), pod->meta.name);
    expect_same_meta(item, *pod);
    expect_same_spec(item, *pod->pod);
    expect_same_status(item, *pod);
  }
  EXPECT_EQ(i, pods.size());
  EXPECT_EQ(i, 200u);
}

// Every label of one series line, and its value.
std::map<std::string, std::string> labels_of(std::string_view line) {
  std::map<std::string, std::string> labels;
  const auto open = line.find('{');
  const auto close = line.rfind('}');
  for (const auto part : split(line.substr(open + 1, close - open - 1), ',')) {
    const auto sides = cut(part, '=');
    labels[std::string(sides->first)] = sides->second.substr(1, sides->second.size() - 2);
  }
  labels["value"] = line.substr(close + 2);
  return labels;
}

// What the scheduler that placed these pods says that each asks for.
TEST(DecodePod, RequestsAreTheSchedulersOwn) {
  SpecPool specs;
  std::map<std::string, DecodedPod> pods;
  for (const auto& bytes : sample_items("pods.pb.gz")) {
    auto pod = decode_pod(bytes, specs);
    ASSERT_TRUE(pod);
    pods.emplace(fmt::format("{}/{}", pod->meta.ns.view(), pod->meta.name), std::move(*pod));
  }
  const auto metrics = sample("scheduler-resources.prom.gz");
  std::size_t requests = 0, limits = 0;
  for (const auto line : split(metrics, '\n')) {
    if (!line.starts_with("kube_pod_resource_")) continue;
    auto labels = labels_of(line);
    const auto pod = pods.find(labels["namespace"] + "/" + labels["pod"]);
    ASSERT_NE(pod, pods.end()) << line;
    const bool request = line.starts_with("kube_pod_resource_request{");
    const auto& amounts = request ? pod->second.pod->request : pod->second.pod->spec->limit;
    const double units = labels["resource"] == "cpu" ? 1000 : 1;
    EXPECT_EQ(static_cast<double>(amounts.get(Symbol(labels["resource"]))),
              std::stod(labels["value"]) * units)
        << line;
    EXPECT_EQ(labels["node"], pod->second.pod->node_name.view());
    EXPECT_EQ(labels["priority"], std::to_string(pod->second.pod->priority.value()));
    ++(request ? requests : limits);
  }
  EXPECT_GT(requests, 200u);
  EXPECT_GT(limits, 200u);
}

TEST(DecodePod, PodsOfOneTemplateShareTheirSpec) {
  SpecPool specs;
  std::vector<DecodedPod> bulk;
  for (const auto& bytes : sample_items("pods.pb.gz")) {
    auto pod = decode_pod(bytes, specs);
    if (pod->meta.ns == Symbol("bulk")) bulk.push_back(std::move(*pod));
  }
  ASSERT_EQ(bulk.size(), 100u);
  for (const auto& pod : bulk) EXPECT_EQ(pod.pod->spec, bulk[0].pod->spec);
}

TEST(DecodePod, Affinity) {
  const auto expression = Message().text(1, "zone").text(2, "NotIn").text(3, "a").text(3, "b");
  const auto field = Message().text(1, "metadata.name").text(2, "In").text(3, "n7");
  const auto node_affinity = Message().message(1, Message()
                                                      .message(1, Message().message(1, expression))
                                                      .message(1, Message().message(2, field)));
  const auto term = Message()
                        .message(1, Message().entry(1, "app", "x"))
                        .text(2, "other")
                        .text(3, "zone")
                        .message(4, Message());
  const auto preferred = Message().number(1, 10).message(2, term);
  const auto pod = with_spec(
      Message().message(18, Message()
                                .message(1, node_affinity)
                                .message(2, Message().message(2, preferred))
                                .message(3, Message().message(1, term).message(1, Message()))));
  const auto& spec = *pod.pod->spec;
  ASSERT_TRUE(spec.node_affinity);
  ASSERT_THAT(*spec.node_affinity, SizeIs(2));
  EXPECT_EQ((*spec.node_affinity)[0].labels[0].op, LabelOperator::kNotIn);
  EXPECT_THAT((*spec.node_affinity)[0].labels[0].values, ElementsAre("a", "b"));
  EXPECT_EQ((*spec.node_affinity)[1].fields[0].key, Symbol("metadata.name"));
  EXPECT_THAT(spec.affinity, IsEmpty());  // a preference keeps no pod from a node
  ASSERT_THAT(spec.anti_affinity, SizeIs(2));
  EXPECT_EQ(to_text(*spec.anti_affinity[0].pods), "app=x");
  EXPECT_THAT(spec.anti_affinity[0].namespaces, ElementsAre(Symbol("other")));
  EXPECT_TRUE(spec.anti_affinity[0].namespace_selector->all.empty());
  EXPECT_EQ(spec.anti_affinity[0].topology_key, Symbol("zone"));
  // Absent selectors select nothing: they are not empty ones.
  EXPECT_FALSE(spec.anti_affinity[1].pods);
  EXPECT_FALSE(spec.anti_affinity[1].namespace_selector);
}

TEST(DecodePod, EmptyNodeAffinityIsNotNone) {
  const auto empty = Message().message(1, Message());
  EXPECT_TRUE(with_spec(Message().message(18, Message().message(1, empty)))
                  .pod->spec->node_affinity->empty());
  EXPECT_FALSE(
      with_spec(Message().message(18, Message().message(1, Message()))).pod->spec->node_affinity);
}

TEST(DecodePod, Tolerations) {
  const auto pod = with_spec(
      Message()
          .message(22, Message().text(1, "team").text(3, "a").text(4, "NoSchedule"))
          .message(22, Message().text(2, "Exists"))
          .message(22, Message().text(1, "level").text(2, "Gt").text(3, "3").text(4, "NoExecute"))
          .message(22, Message().text(1, "x").text(2, "Sometimes").text(4, "Later")));
  const auto& t = pod.pod->spec->tolerations;
  ASSERT_THAT(t, SizeIs(4));
  EXPECT_EQ(t[0].op, model::TolerationOperator::kEqual);
  EXPECT_EQ(t[0].effect, TaintEffect::kNoSchedule);
  EXPECT_EQ(t[1].op, model::TolerationOperator::kExists);
  EXPECT_EQ(t[1].effect, TaintEffect::kNone);
  EXPECT_TRUE(t[1].key.empty());
  EXPECT_EQ(t[2].op, model::TolerationOperator::kGt);
  EXPECT_EQ(t[3].op, model::TolerationOperator::kUnknown);
  EXPECT_EQ(t[3].effect, TaintEffect::kUnknown);
}

TEST(DecodePod, OnlySpreadThatFilters) {
  const auto always = Message().number(1, 2).text(2, "zone").text(3, "ScheduleAnyway");
  const auto never = Message()
                         .number(1, 3)
                         .text(2, "rack")
                         .text(3, "DoNotSchedule")
                         .number(5, 4)
                         .text(6, "Ignore")
                         .text(7, "Honor")
                         .text(8, "pod-template-hash");
  const auto plain = Message().text(2, "zone").text(3, "DoNotSchedule");
  const auto pod = with_spec(Message().message(33, always).message(33, never).message(33, plain));
  const auto& spread = pod.pod->spec->spread;
  ASSERT_THAT(spread, SizeIs(2));
  EXPECT_EQ(spread[0].max_skew, 3);
  EXPECT_EQ(spread[0].min_domains, 4);
  EXPECT_FALSE(spread[0].honor_node_affinity);
  EXPECT_TRUE(spread[0].honor_node_taints);
  EXPECT_THAT(spread[0].match_label_keys, ElementsAre(Symbol("pod-template-hash")));
  EXPECT_FALSE(spread[0].pods);
  EXPECT_TRUE(spread[1].honor_node_affinity);
  EXPECT_FALSE(spread[1].honor_node_taints);
  EXPECT_FALSE(spread[1].min_domains);
}

TEST(DecodePod, HostPortsOfContainersAndSidecars) {
  const auto port = [](std::int64_t host) {
    return Message().message(6, Message().number(2, host).number(3, 80).text(4, "UDP"));
  };
  const auto pod = with_spec(Message()
                                 .message(2, port(8080))
                                 .message(2, port(0))
                                 .message(20, port(9000))
                                 .message(20, port(9001).text(24, "Always")));
  ASSERT_THAT(pod.pod->spec->host_ports, SizeIs(2));
  EXPECT_EQ(pod.pod->spec->host_ports[0].port, 8080);
  EXPECT_EQ(pod.pod->spec->host_ports[0].protocol, model::HostProtocol::kUdp);
  EXPECT_EQ(pod.pod->spec->host_ports[1].port, 9001);
}

TEST(DecodePod, Volumes) {
  const auto claim =
      Message().text(1, "data").message(2, Message().message(10, Message().text(1, "data-claim")));
  const auto scratch = Message().text(1, "scratch").message(2, Message().message(29, Message()));
  const auto secret = Message().text(1, "s").message(2, Message().message(6, Message()));
  const auto pod = with_spec(Message().message(1, claim).message(1, scratch).message(1, secret));
  ASSERT_THAT(pod.pod->volumes, SizeIs(2));
  EXPECT_EQ(pod.pod->volumes[0], (model::PodVolume{"data-claim", false}));
  EXPECT_EQ(pod.pod->volumes[1], (model::PodVolume{"p-scratch", true}));
}

TEST(DecodePod, ResourceClaims) {
  const auto spec = Message()
                        .message(39, Message().text(1, "a").text(3, "shared"))
                        .message(39, Message().text(1, "b").text(4, "template"))
                        .message(39, Message().text(1, "c").text(4, "template"));
  const auto status = Message().message(15, Message().text(1, "b").text(2, "p-b-x7k"));
  const auto pod = decode(Message().message(2, spec).message(3, status));
  const auto& claims = pod.pod->resource_claims;
  ASSERT_THAT(claims, SizeIs(3));
  EXPECT_EQ(claims[0].claim, "shared");
  EXPECT_EQ(claims[1].claim, "p-b-x7k");
  EXPECT_EQ(claims[1].claim_template, "template");
  EXPECT_EQ(claims[2].claim, "");
}

TEST(DecodePod, GroupsByEveryConvention) {
  const auto labelled = [](std::uint32_t map, const char* key) {
    return decode(Message().message(1, Message().entry(map, key, "g"))).pod->group;
  };
  constexpr std::uint32_t kLabels = 11, kAnnotations = 12;
  EXPECT_EQ(labelled(kLabels, "scheduling.x-k8s.io/pod-group"), "g");
  EXPECT_EQ(labelled(kLabels, "pod-group.scheduling.sigs.k8s.io"), "g");
  EXPECT_EQ(labelled(kLabels, "pod-group.scheduling.sigs.k8s.io/name"), "g");
  EXPECT_EQ(labelled(kAnnotations, "scheduling.k8s.io/group-name"), "g");
  EXPECT_EQ(labelled(kLabels, "kueue.x-k8s.io/pod-group-name"), "g");
  EXPECT_EQ(labelled(kLabels, "app"), "");
  EXPECT_EQ(with_spec(Message().message(43, Message().text(1, "g"))).pod->group, "g");
  EXPECT_EQ(
      with_spec(Message().message(42, Message().text(1, "w").text(2, "g").text(3, "r"))).pod->group,
      "w/g/r");
  EXPECT_EQ(with_spec(Message().message(42, Message().text(1, "w").text(2, "g"))).pod->group,
            "w/g");
}

TEST(DecodePod, OnlyTheControllerIsTheOwner) {
  const auto meta =
      Message()
          .message(13, Message().text(1, "Node").text(3, "n").text(4, "u1"))
          .message(13, Message().text(1, "Job").text(3, "j").text(4, "u2").number(6, 1));
  const auto pod = decode(Message().message(1, meta));
  ASSERT_TRUE(pod.pod->owner);
  EXPECT_EQ(pod.pod->owner->kind, Symbol("Job"));
  EXPECT_EQ(pod.pod->owner->name, "j");
  EXPECT_EQ(pod.pod->owner->uid, "u2");
}

Message terminated(std::int64_t code, std::int64_t started, std::int64_t finished) {
  return Message().message(3, Message().number(1, code).time(5, started).time(6, finished));
}

TEST(DecodePod, RunsOfAFailedPod) {
  const auto status = Message()
                          .text(1, "Failed")
                          .text(4, "Evicted")
                          .message(8, Message().text(1, "a").message(2, terminated(0, 100, 900)))
                          .message(8, Message()
                                          .text(1, "b")
                                          .message(2, terminated(137, 300, 800))
                                          .message(3, terminated(1, 50, 200))
                                          .number(5, 3));
  const auto pod = decode(Message().message(3, status));
  EXPECT_EQ(pod.started, Timestamp{50});
  EXPECT_EQ(pod.finished, Timestamp{900});
  ASSERT_TRUE(pod.exit);
  EXPECT_EQ(pod.exit->code, 137);
  EXPECT_EQ(pod.pod->restarts, 3u);
  EXPECT_EQ(pod.pod->status_reason, Symbol("Evicted"));
}

// One container of a running pod is over: the pod is not.
TEST(DecodePod, RunningPodHasNoEnd) {
  const auto running = Message().message(2, Message().time(1, 120));
  const auto status = Message()
                          .text(1, "Running")
                          .message(8, Message().text(1, "a").message(2, terminated(0, 100, 900)))
                          .message(8, Message().text(1, "b").message(2, running));
  const auto pod = decode(Message().message(3, status));
  EXPECT_EQ(pod.started, Timestamp{100});
  EXPECT_FALSE(pod.finished);
  EXPECT_FALSE(pod.exit);
}

// allocatedResourcesStatus: a claim that two containers share names its devices twice.
TEST(DecodePod, TheHealthOfItsDevices) {
  const auto health = [](const char* id, const char* word, const char* why = "") {
    return Message().text(1, id).text(2, word).text(6, why);
  };
  const auto gpus = Message()
                        .text(1, "nvidia.com/gpu")
                        .message(2, health("GPU-a", "Healthy"))
                        .message(2, health("GPU-b", "Unhealthy", "ECC errors"));
  const auto claim = Message().text(1, "claim:nic/one").message(2, health("nic-0", "Unknown"));
  const auto status = Message()
                          .text(1, "Running")
                          .message(8, Message().text(1, "a").message(14, gpus).message(14, claim))
                          .message(8, Message().text(1, "b").message(14, claim));
  const auto pod = decode(Message().message(3, status));
  ASSERT_TRUE(pod.pod->devices);
  const auto& devices = *pod.pod->devices;
  ASSERT_THAT(devices, SizeIs(3));
  EXPECT_EQ(devices[0].resource, Symbol("nvidia.com/gpu"));
  EXPECT_EQ(devices[0].state, model::DeviceState::kHealthy);
  EXPECT_EQ(devices[1].device, "GPU-b");
  EXPECT_EQ(devices[1].state, model::DeviceState::kUnhealthy);
  EXPECT_EQ(devices[1].message, "ECC errors");
  EXPECT_EQ(devices[2].resource, Symbol("claim:nic/one"));
  EXPECT_EQ(devices[2].state, model::DeviceState::kUnknown);
  EXPECT_FALSE(decode(Message().message(3, Message().text(1, "Running"))).pod->devices);
}

TEST(DecodePod, ResizeUnderWay) {
  const auto requests = [](const char* cpu) { return Message().amount(2, "cpu", cpu); };
  const auto spec = Message().message(2, Message().text(1, "a").message(8, requests("2")));
  const auto container = Message().text(1, "a").amount(10, "cpu", "4").message(11, requests("3"));
  const auto infeasible =
      Message().text(1, "PodResizePending").text(2, "True").text(5, "Infeasible");
  const auto pod = decode(Message().message(2, spec).message(3, Message().message(8, container)));
  EXPECT_EQ(pod.pod->request.get(Symbol("cpu")), 4000);
  EXPECT_EQ(pod.pod->spec->request.get(Symbol("cpu")), 2000);
  const auto larger = Message().message(2, Message().text(1, "a").message(8, requests("9")));
  const auto refused = decode(Message().message(2, larger).message(
      3, Message().message(2, infeasible).message(8, container)));
  EXPECT_EQ(refused.pod->request.get(Symbol("cpu")), 4000);
  EXPECT_EQ(refused.pod->spec->request.get(Symbol("cpu")), 9000);
}

}  // namespace
}  // namespace schedlens::kube
