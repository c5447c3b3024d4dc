// SPDX-License-Identifier: Apache-2.0
#pragma once
// A stream, and a server that says what the test tells it to, when it tells it to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

#include "kube/stream.h"
#include "kube/wire_test.h"

namespace schedlens::kube::test {

using namespace std::chrono_literals;

inline constexpr const char* kProtobufType = "application/vnd.kubernetes.protobuf;stream=watch";

inline const Resource kPods{"pods", "workloads", {{"", "v1"}}};
inline const Resource kBudgets{"budgets", "budgets", {{"x.io", "v2"}, {"x.io", "v1"}}};
inline const Resource kCustom{"things", "things", {{"x.io", "v1"}}, true, Encoding::kJson};

// A stream, the time, and a server that says what the test tells it to.
class Script {
 public:
  explicit Script(const Resource& resource = kPods, StreamOptions options = {})
      : sink(resource.encoding), stream(resource, sink, options, 1) {
    json_ = resource.encoding == Encoding::kJson;
  }

  // The request that the stream wants now; "" for none.
  std::string ask() {
    last = stream.poll(now);
    return last ? last->path : "";
  }
  // Passes time until the stream wants something; how long that was.
  std::chrono::milliseconds wait_for_ask() {
    auto before = now.steady;
    while (ask().empty()) {
      if (now.steady - before > 1h) throw std::runtime_error("no request within an hour");
      pass(10ms);
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(now.steady - before);
  }
  void pass(std::chrono::milliseconds time) {
    now.steady += time;
    passed_ += time;
    now.wall.unix_seconds = 1'800'000'000 + passed_.count() / 1000;
  }
  void head(int status, std::optional<std::chrono::seconds> retry = std::nullopt) {
    stream.head({status,
                 status == 200 ? (json_ ? "application/json" : kProtobufType)
                               : "application/vnd.kubernetes.protobuf",
                 retry},
                now);
  }
  void send(const std::string& bytes) { stream.data(bytes, now); }
  void end() { stream.end({}, now); }
  void cut(const std::string& why = "Connection reset by peer") {
    stream.end({net::EndCause::kFailed, why}, now);
  }
  void silence() { stream.end({net::EndCause::kIdle, "nothing came for 90 s"}, now); }
  // A whole answer other than 200.
  void refuse(int code, const std::string& reason = "", const std::string& message = "",
              std::optional<std::chrono::seconds> retry = std::nullopt) {
    head(code, retry);
    send(wrapped(status(code, reason, message)));
    end();
  }
  // Objects a:1 and b:2 as a stream; the watch goes on from 10.
  void stream_list() {
    EXPECT_THAT(ask(), testing::HasSubstr("sendInitialEvents=true"));
    head(200);
    send(event("ADDED", object("a", "1")) + event("ADDED", object("b", "2")) +
         end_of_initial_events("10"));
    EXPECT_EQ(sink.text(), "a:1 b:2");
  }
  model::SourceState state() const { return stream.status(now).state; }
  std::string error() const { return stream.status(now).error; }

  Moment now{std::chrono::steady_clock::time_point(1h), {1'800'000'000}};
  Recorder sink;
  Stream stream;
  std::optional<Ask> last;

 private:
  bool json_ = false;
  std::chrono::milliseconds passed_{0};
};

}  // namespace schedlens::kube::test
