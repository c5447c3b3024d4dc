// SPDX-License-Identifier: Apache-2.0
#include "kube/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/decode_node.h"
#include "kube/decode_objects.h"
#include "kube/decode_pod.h"
#include "kube/meta.h"
#include "kube/samples_test.h"
#include "kube/spec_pool.h"

namespace schedlens::kube {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string pod_error(const Message& pod) {
  SpecPool specs;
  auto decoded_pod = decode_pod(pod.bytes(), specs);
  EXPECT_FALSE(decoded_pod);
  return decoded_pod ? "" : decoded_pod.error().message();
}

TEST(Fields, ErrorsNameTheField) {
  Message requirements;
  requirements.amount(2, "memory", "1 Gi");
  const auto container = Message().text(1, "main").message(8, requirements);
  EXPECT_EQ(pod_error(Message().message(2, Message().message(2, container))),
            "spec.containers.resources.requests: memory: \"1 Gi\" is no quantity");
}

TEST(Fields, WrongTypeOfFieldIsAnError) {
  EXPECT_EQ(pod_error(Message().message(2, Message().number(19, 7))),
            "spec.schedulerName: wrong wire type");
  EXPECT_EQ(pod_error(Message().message(2, Message().text(25, "high"))),
            "spec.priority: wrong wire type");
  EXPECT_EQ(pod_error(Message().number(1, 3)), "metadata: wrong wire type");
}

TEST(Fields, UnknownFieldsAreSkipped) {
  auto meta = Message().number(999, 5).text(1, "a").text(1000, "what is this");
  auto decoded_meta = decode_meta(Message().text(77, "x").message(1, meta).number(78, 1).bytes());
  ASSERT_TRUE(decoded_meta);
  EXPECT_EQ(decoded_meta->name, "a");
}

TEST(Fields, TheZeroTimeIsNone) {
  const auto node =
      Message().message(1, Message().text(1, "n").message(8, Message()).entry(11, "k", "v"));
  auto decoded_node = decode_node(node.bytes());
  ASSERT_TRUE(decoded_node);
  EXPECT_FALSE(decoded_node->object->created);
}

TEST(Fields, EmptyObjectIsAnObject) {
  SpecPool specs;
  EXPECT_TRUE(decode_pod("", specs));
  EXPECT_TRUE(decode_node(""));
  EXPECT_TRUE(decode_meta(""));
  EXPECT_TRUE(decode_job(""));
}

// Every real object cut off at every place: an object or an error, never a crash.
TEST(Fields, CutOffAnywhere) {
  SpecPool specs;
  const auto pods = sample_items("pods.pb.gz");
  std::size_t failed = 0;
  for (std::size_t length = 0; length < pods[0].size(); ++length) {
    auto decoded_pod = decode_pod(std::string_view(pods[0]).substr(0, length), specs);
    if (!decoded_pod) ++failed;
  }
  // Only where a whole field ends is the rest an object.
  EXPECT_GT(failed, pods[0].size() - 4);
  const auto nodes = sample_items("nodes.pb.gz");
  for (std::size_t length = 0; length < nodes[0].size(); ++length) {
    (void)decode_node(std::string_view(nodes[0]).substr(0, length));
  }
}

// One byte wrong: the same.
TEST(Fields, DamagedAnywhere) {
  SpecPool specs;
  auto pod = sample_items("pods.pb.gz")[0];
  for (std::size_t at = 0; at < pod.size(); ++at) {
    const char was = pod[at];
    for (const char wrong : {'\0', '\x7f', '\xff', static_cast<char>(was ^ 0x10)}) {
      pod[at] = wrong;
      (void)decode_pod(pod, specs);
    }
    pod[at] = was;
  }
}

TEST(Fields, BrokenVarintsAndLengths) {
  for (const std::string bytes :
       {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x0a\xff\xff\xff\xff\x0f", "\x0a\x7f",
        "\x0b", "\x0c", "\x07", "\x08"}) {
    EXPECT_FALSE(decode_meta(bytes)) << testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace schedlens::kube
