// SPDX-License-Identifier: Apache-2.0
#include "kube/envelope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/wire_test.h"

namespace schedlens::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char kJsonList[] =
    R"({"kind":"WorkloadList","apiVersion":"kueue.x-k8s.io/v1beta1",
        "metadata":{"resourceVersion":"77","continue":"abc","remainingItemCount":3},
        "items":[{"metadata":{"name":"a"},"spec":{"x":[1,{"y":"}"}]}}, {"metadata":{"name":"b"}}]})";

TEST(Envelope, AProtobufListIsCutIntoItsObjects) {
  EnvelopeReader reader(Encoding::kProtobuf);
  auto a = test::object("a", "1"), b = test::object("b", "2");
  auto body = test::list("77", {a, b}, "next page");
  auto page = reader.list(body);
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_EQ(page->resource_version, "77");
  EXPECT_EQ(page->continue_token, "next page");
  EXPECT_THAT(page->items, ElementsAre(a, b));
  // Not copied.
  EXPECT_GE(page->items[0].data(), body.data());
  EXPECT_LT(page->items[0].data(), body.data() + body.size());
}

TEST(Envelope, AJsonListIsCutIntoItsObjects) {
  EnvelopeReader reader(Encoding::kJson);
  auto page = reader.list(kJsonList);
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_EQ(page->resource_version, "77");
  EXPECT_EQ(page->continue_token, "abc");
  EXPECT_THAT(page->items, ElementsAre(R"({"metadata":{"name":"a"},"spec":{"x":[1,{"y":"}"}]}})",
                                       R"({"metadata":{"name":"b"}})"));
  EXPECT_TRUE(reader.list(R"({"metadata":{"resourceVersion":"1"},"items":null})")->items.empty());
}

TEST(Envelope, EveryObjectSaysWhoItIs) {
  auto bytes = test::object("trainer-0", "4711", "k8s.io/initial-events-end", "ml");
  EnvelopeReader protobuf(Encoding::kProtobuf);
  auto head = protobuf.head(bytes);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->name, "trainer-0");
  EXPECT_EQ(head->ns, "ml");
  EXPECT_EQ(head->resource_version, "4711");
  EXPECT_TRUE(head->initial_events_end);

  EnvelopeReader json(Encoding::kJson);
  head = json.head(R"({"metadata":{"namespace":"ml","name":"w","resourceVersion":"9",
                       "annotations":{"k8s.io/initial-events-end":"true"}},"status":null})");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->name, "w");
  EXPECT_EQ(head->ns, "ml");
  EXPECT_EQ(head->resource_version, "9");
  EXPECT_TRUE(head->initial_events_end);
  EXPECT_FALSE(json.head(R"({"metadata":{"annotations":null}})")->initial_events_end);
}

TEST(Envelope, WatchEventsHaveATypeAndAnObject) {
  EnvelopeReader protobuf(Encoding::kProtobuf);
  auto pod = test::object("p", "5");
  auto frame = test::event("MODIFIED", pod);
  auto event = protobuf.event(frame.substr(4));
  ASSERT_TRUE(event) << event.error().message();
  EXPECT_EQ(event->type, EventType::kModified);
  EXPECT_EQ(protobuf.event(test::event("NONSENSE", pod).substr(4)).error().message(),
            "watch event: unknown type 'NONSENSE'");

  EnvelopeReader json(Encoding::kJson);
  event = json.event(R"({"type":"DELETED","object":{"metadata":{"name":"w"}}})");
  ASSERT_TRUE(event) << event.error().message();
  EXPECT_EQ(event->type, EventType::kDeleted);
  EXPECT_EQ(event->object, R"({"metadata":{"name":"w"}})");
  EXPECT_FALSE(json.event(R"({"type":"ADDED"})"));
}

TEST(Envelope, StatusesAreReadInEitherEncodingAndAsText) {
  auto read = read_status(410, "application/vnd.kubernetes.protobuf",
                          test::wrapped(test::status(410, "Expired", "too old", 7)));
  EXPECT_EQ(read.code, 410);
  EXPECT_EQ(read.reason, "Expired");
  EXPECT_EQ(read.message, "too old");
  EXPECT_EQ(read.retry_after_seconds, 7);
  EXPECT_TRUE(read.expired());

  read = read_status(429, "application/json",
                     R"({"kind":"Status","code":429,"message":"slow down",
                         "details":{"retryAfterSeconds":3},"reason":"TooManyRequests"})");
  EXPECT_EQ(read.message, "slow down");
  EXPECT_EQ(read.retry_after_seconds, 3);

  read = read_status(404, "text/plain; charset=utf-8", "404 page not found\n");
  EXPECT_EQ(read.message, "404 page not found");
  EXPECT_EQ(read_status(502, "text/html", "<html>bad gateway</html>").message, "");
  EXPECT_EQ(read_status(500, "application/json", "{broken").code, 500);
}

TEST(Envelope, DamageIsAnErrorNotACrash) {
  EnvelopeReader protobuf(Encoding::kProtobuf);
  EXPECT_THAT(protobuf.list("<html>").error().message(), HasSubstr("not the protobuf"));
  auto body = test::list("77", {test::object("a", "1")});
  for (std::size_t size = 0; size < body.size(); ++size) {
    auto page = protobuf.list(body.substr(0, size));
    EXPECT_TRUE(!page || page->items.empty() || size == body.size()) << size;
  }
  EnvelopeReader json(Encoding::kJson);
  std::string text = kJsonList;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(json.list(text.substr(0, size))) << size;
  }
}

std::vector<std::string> frames_of(FrameReader& reader, const std::string& bytes,
                                   std::size_t piece) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(bytes.substr(at, piece));
    while (true) {
      auto frame = reader.next();
      if (!frame) return {"error: " + frame.error().message()};
      if (!*frame) break;
      out.emplace_back(**frame);
    }
  }
  return out;
}

TEST(Envelope, FramesComeOutWholeHoweverTheyArrive) {
  std::string big(70'000, 'x');
  auto bytes = test::frame_of("one") + test::frame_of("") + test::frame_of(big);
  for (std::size_t piece : {1u, 2u, 5u, 4096u, 100'000u}) {
    FrameReader reader(Encoding::kProtobuf);
    EXPECT_THAT(frames_of(reader, bytes, piece), ElementsAre("one", "", big)) << piece;
    EXPECT_FALSE(reader.inside_frame());
    FrameReader lines(Encoding::kJson);
    EXPECT_THAT(frames_of(lines, "{1}\n\r\n{22}\n{3", piece), ElementsAre("{1}", "{22}")) << piece;
    EXPECT_TRUE(lines.inside_frame());
  }
}

TEST(Envelope, FramesOfAbsurdSizeAreRefused) {
  FrameReader protobuf(Encoding::kProtobuf, 1000);
  EXPECT_THAT(frames_of(protobuf, "HTTP garbage", 100)[0], HasSubstr("1213486160 bytes"));
  FrameReader json(Encoding::kJson, 1000);
  EXPECT_THAT(frames_of(json, std::string(1001, '{'), 100)[0], HasSubstr("more than 1000 bytes"));
}

TEST(Envelope, TheServersVersionIsWhatItIsCalledInGit) {
  EXPECT_EQ(*read_git_version(R"({"major":"1","minor":"36","gitVersion":"v1.36.3"})"), "v1.36.3");
  EXPECT_FALSE(read_git_version("{}"));
  EXPECT_FALSE(read_git_version("[]"));
}

}  // namespace
}  // namespace schedlens::kube
