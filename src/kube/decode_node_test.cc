// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>

#include "base/time_text.h"
#include "kube/quantity.h"
#include "kube/samples_test.h"
#include "model/node_object.h"

namespace schedlens::kube {
namespace {

std::map<std::string, DecodedNode> sample_nodes() {
  std::map<std::string, DecodedNode> nodes;
  for (const auto& bytes : sample_items("nodes.pb.gz")) {
    auto node = decode_node(bytes);
    EXPECT_TRUE(node) << node.error().message();
    if (node) nodes.emplace(node->meta.name, std::move(*node));
  }
  return nodes;
}

void expect_same_amounts(simdjson::dom::object json, const model::Quantities& amounts) {
  EXPECT_EQ(json.size(), amounts.items().size());
  for (const auto field : json) {
    const auto amount = parse_quantity(std::string_view(field.value)).value();
    EXPECT_EQ(amounts.get(Symbol(field.key)),
              field.key == "cpu" ? amount.milli_value() : amount.value())
        << field.key;
  }
}

std::string text(simdjson::simdjson_result<simdjson::dom::element> value) {
  std::string_view view;
  return value.get(view) ? "" : std::string(view);
}

TEST(DecodeNode, AgreesWithJson) {
  simdjson::dom::parser parser;
  const auto json = sample("nodes.json.gz");
  const auto list = parser.parse(json).value();
  const auto nodes = sample_nodes();
  std::size_t count = 0;
  for (const auto item : simdjson::dom::array(list["items"])) {
    const auto name = text(item["metadata"]["name"]);
    SCOPED_TRACE(name);
    ++count;
    const auto& node = nodes.at(name);
    EXPECT_EQ(text(item["metadata"]["uid"]), node.object->uid);
    EXPECT_EQ(simdjson::dom::object(item["metadata"]["labels"]).size(),
              node.object->labels.items().size());
    EXPECT_EQ(text(item["status"]["nodeInfo"]["kubeletVersion"]), node.object->kubelet_version);
    expect_same_amounts(item["status"]["capacity"], node.object->capacity);
    expect_same_amounts(item["status"]["allocatable"], node.object->allocatable);
    simdjson::dom::array conditions;
    if (item["status"]["conditions"].get(conditions)) continue;
    ASSERT_EQ(conditions.size(), node.object->conditions.size());
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const auto want = conditions.at(i).value();
      const auto& have = node.object->conditions[i];
      EXPECT_EQ(text(want["type"]), have.type.view());
      EXPECT_EQ(text(want["status"]) == "True", have.status);
      EXPECT_EQ(text(want["status"]) == "Unknown", have.unknown);
      EXPECT_EQ(text(want["reason"]), have.reason.view());
      EXPECT_EQ(text(want["message"]), have.message);
      EXPECT_EQ(text(want["lastTransitionTime"]), iso8601(have.since.value()));
    }
  }
  EXPECT_EQ(count, 72u);
  EXPECT_EQ(nodes.size(), 72u);
}

TEST(DecodeNode, OneOfTheCluster) {
  const auto node = sample_nodes().at("gpu-000");
  const auto& object = *node.object;
  EXPECT_TRUE(node.meta.ns.empty());
  EXPECT_EQ(node.address, "10.1.0.1");
  EXPECT_EQ(object.allocatable.get(Symbol("cpu")), 192000);
  EXPECT_EQ(object.allocatable.get(Symbol("pods")), 1000);
  EXPECT_EQ(object.allocatable.get(Symbol("rdma/hca")), 8);
  EXPECT_EQ(*object.labels.find(Symbol("nvidia.com/gpu.product")), "NVIDIA-H100-80GB-HBM3");
  EXPECT_TRUE(object.condition(Symbol("Ready"))->status);
  EXPECT_FALSE(object.unschedulable);
  EXPECT_TRUE(object.created);
}

TEST(DecodeNode, CordonAndTaints) {
  const auto node = sample_nodes().at("odd-cordoned");
  EXPECT_TRUE(node.object->unschedulable);
  ASSERT_EQ(node.object->taints.size(), 2u);
  EXPECT_EQ(to_text(node.object->taints[0]), "node.kubernetes.io/unschedulable:NoSchedule");
  EXPECT_EQ(node.object->taints[0].added, Timestamp{1700000200});
  EXPECT_EQ(to_text(node.object->taints[1]), "team=a:NoExecute");
  EXPECT_FALSE(node.object->taints[1].added);
  // Of several addresses the first internal one, though another stands before it.
  EXPECT_EQ(node.address, "10.9.0.1");
}

TEST(DecodeNode, EveryResourceNameIsKept) {
  const auto node = sample_nodes().at("odd-mig");
  const auto& have = node.object->allocatable;
  EXPECT_EQ(have.find(Symbol("kubernetes.io/network-bandwidth")), 1 << 20);
  EXPECT_EQ(have.find(Symbol("nvidia.com/gpu")), 0);
  EXPECT_EQ(have.find(Symbol("nvidia.com/mig-1g.10gb")), 4);
}

TEST(DecodeNode, AddressWithoutAnInternalOne) {
  const auto address = Message().text(1, "Hostname").text(2, "n1.example");
  const auto node = decode_node(Message().message(3, Message().message(5, address)).bytes());
  ASSERT_TRUE(node);
  EXPECT_EQ(node->address, "n1.example");
}

TEST(DecodeNode, BadAmountNamesItsField) {
  const auto node = decode_node(Message().message(3, Message().amount(2, "cpu", "many")).bytes());
  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().message(), "status.allocatable: cpu: \"many\" is no quantity");
}

}  // namespace
}  // namespace schedlens::kube
