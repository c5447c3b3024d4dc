// SPDX-License-Identifier: Apache-2.0
#include "kube/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kube/no_plugin_test.h"
#include "kube/wire_test.h"
#include "net/scripted_server_test.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using model::SourceState;
using net::test::Connection;
using net::test::ScriptedServer;
using testing::HasSubstr;

constexpr const char* kType = "application/vnd.kubernetes.protobuf";

using test::NoPlugin;

// A sink that the test's thread looks at while the stream's thread writes.
class SharedRecorder final : public Sink {
 public:
  void begin_list() override {
    std::lock_guard lock(mutex_);
    inner_.begin_list();
  }
  void end_list() override {
    std::lock_guard lock(mutex_);
    inner_.end_list();
  }
  Status take(std::string_view object) override {
    std::lock_guard lock(mutex_);
    return inner_.take(object);
  }
  Status remove(std::string_view object) override {
    std::lock_guard lock(mutex_);
    return inner_.remove(object);
  }
  std::string text() const {
    std::lock_guard lock(mutex_);
    return inner_.text();
  }

 private:
  mutable std::mutex mutex_;
  test::Recorder inner_;
};

template <class Done>
bool within(std::chrono::milliseconds patience, Done&& done) {
  auto until = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

bool send_status(Connection& c, const std::string& line, int code, const std::string& reason) {
  return c.send_answer(line, kType, test::wrapped(test::status(code, reason, reason)));
}
bool open_stream(Connection& c) {
  return c.send_head("200 OK",
                     "Content-Type: application/vnd.kubernetes.protobuf;stream=watch\r\n"
                     "Transfer-Encoding: chunked\r\n");
}
bool is_list(const std::string& request) {
  return request.find("sendInitialEvents=true") != std::string::npos;
}
bool from(const std::string& request, const std::string& version) {
  return request.find("&resourceVersion=" + version + " ") != std::string::npos ||
         request.find("&resourceVersion=" + version + "&") != std::string::npos;
}
bool send_version(Connection& c) {
  return c.send_answer("200 OK", "application/json", R"({"gitVersion":"v1.36.3"})");
}

bool send_groups(Connection& c) {
  return c.send_answer("200 OK", "application/json",
                       R"({"kind":"APIGroupList","groups":[{"name":"apps","versions":[]},)"
                       R"({"versions":[],"name":"kueue.x-k8s.io"}]})");
}

class StreamsTest : public testing::Test {
 protected:
  // Starts watching pods of a server that answers so, and tells its version until it hangs.
  void start(ScriptedServer::Answer answer) {
    server_ = std::make_unique<ScriptedServer>([this, answer](const std::string& r, Connection& c) {
      if (r.starts_with("GET /version ")) {
        ++asked_for_version_;
        if (!hangs_) return send_version(c);
        c.be_silent();
        return false;
      }
      if (r.starts_with("GET /apis ") && !hangs_) return send_groups(c);
      return answer(r, c);
    });
    access_.cluster.server = server_->url();
    streams_ = std::make_unique<Streams>(access_, options_, runner_, clock_);
    streams_->add(*find_resource("pods"), pods_);
    streams_->start();
  }
  bool pods_become(const std::string& text) {
    bool good = within(10s, [&] { return pods_.text() == text; });
    if (!good) ADD_FAILURE() << "pods are " << pods_.text() << ": " << report().status.error;
    return good;
  }
  Streams::Report report() const { return streams_->report().at(0); }

  NoPlugin runner_;
  os::SystemClock clock_;
  Access access_;
  StreamOptions options_;
  SharedRecorder pods_;
  std::atomic<bool> hangs_{false};
  std::atomic<int> asked_for_version_{0};
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<Streams> streams_;
};

TEST_F(StreamsTest, KeepsASinkEqualToTheServer) {
  start([](const std::string& r, Connection& c) {
    if (!is_list(r)) return false;
    open_stream(c);
    c.send_chunk(test::event("ADDED", test::object("a", "1")));
    c.send_chunk(test::end_of_initial_events("5"));
    c.send_chunk(test::event("ADDED", test::object("b", "6")));
    c.be_silent();
    return false;
  });
  ASSERT_TRUE(pods_become("a:1 b:6"));
  EXPECT_TRUE(streams_->wait_until_settled(5s));
  auto r = report();
  EXPECT_EQ(r.status.name, "pods");
  EXPECT_EQ(r.status.feeds, "workloads");
  EXPECT_TRUE(within(5s, [&] { return report().status.records == 2; }));
  EXPECT_EQ(r.status.state, SourceState::kFresh);
  EXPECT_TRUE(r.loaded);
  EXPECT_TRUE(within(5s, [&] { return streams_->server_version() == "v1.36.3"; }));
  auto began = std::chrono::steady_clock::now();
  streams_->stop();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
}

TEST_F(StreamsTest, WhatIsOptionalIsAbsentOnlyWhereTheGroupIs) {
  server_ = std::make_unique<ScriptedServer>([](const std::string& r, Connection& c) {
    if (r.starts_with("GET /version ")) return send_version(c);
    if (r.starts_with("GET /apis ")) return send_groups(c);
    if (r.find("jobset.x-k8s.io") != std::string::npos) {
      return send_status(c, "404 Not Found", 404, "NotFound");
    }
    return send_status(c, "403 Forbidden", 403, "Forbidden");
  });
  access_.cluster.server = server_->url();
  Streams streams(access_, options_, runner_, clock_);
  SharedRecorder nothing;
  for (const char* title : {"jobsets", "podgroups.scheduling.volcano.sh", "localqueues", "pods"}) {
    streams.add(*find_resource(title), nothing);
  }
  streams.start();
  ASSERT_TRUE(streams.wait_until_settled(10s));
  const auto reports = streams.report();
  EXPECT_TRUE(streams.is_absent(reports[0]));   // is not served
  EXPECT_TRUE(streams.is_absent(reports[1]));   // forbidden, and the server has no such group
  EXPECT_FALSE(streams.is_absent(reports[2]));  // forbidden
  EXPECT_FALSE(streams.is_absent(reports[3]));
  EXPECT_EQ(reports[2].condition, Condition::kForbidden);
}

TEST_F(StreamsTest, ACutInsideAFrameLosesNothing) {
  start([](const std::string& r, Connection& c) {
    open_stream(c);
    auto b = test::event("ADDED", test::object("b", "6"));
    if (is_list(r)) {
      c.send_chunk(test::event("ADDED", test::object("a", "1")) + test::end_of_initial_events("5") +
                   b.substr(0, b.size() / 2));
      return false;  // closes in the middle
    }
    if (!from(r, "5")) return false;
    c.send_chunk(b);
    c.be_silent();
    return false;
  });
  EXPECT_TRUE(pods_become("a:1 b:6"));
  EXPECT_EQ(report().status.failures, 1u);
}

TEST_F(StreamsTest, ASilentConnectionIsReplaced) {
  options_.watch_silence = 400ms;
  std::atomic<int> watches{0};
  start([&](const std::string& r, Connection& c) {
    open_stream(c);
    if (is_list(r)) {
      c.send_chunk(test::end_of_initial_events("5"));
    } else if (++watches >= 2) {
      c.send_chunk(test::event("ADDED", test::object("late", "7")));
    }
    c.be_silent();
    return false;
  });
  EXPECT_TRUE(pods_become("late:7"));
  EXPECT_GE(watches, 2);
}

TEST_F(StreamsTest, AQuietServerIsNoneThatHangs) {
  options_.server_quiet = 100ms;
  options_.server_patience = 300ms;
  std::atomic<int> watches{0};
  start([&](const std::string& r, Connection& c) {
    open_stream(c);
    if (is_list(r)) {
      c.send_chunk(test::end_of_initial_events("5"));
    } else if (++watches == 1) {
      c.send_chunk(test::event("ADDED", test::object("late", "7")));
    }
    c.be_silent();
    return false;
  });
  ASSERT_TRUE(pods_become(""));
  // Asked again and again, as nothing else comes, and it answers.
  ASSERT_TRUE(within(10s, [&] { return asked_for_version_ >= 5; }));
  EXPECT_EQ(watches, 0);
  EXPECT_EQ(report().status.failures, 0u);
  EXPECT_EQ(report().status.state, SourceState::kFresh);
  hangs_ = true;
  ASSERT_TRUE(within(10s, [&] { return report().status.failures > 0; }));
  EXPECT_TRUE(pods_become("late:7"));  // by another connection
}

TEST_F(StreamsTest, AServerThatHangsIsNamed) {
  options_.server_quiet = 100ms;
  options_.server_patience = 200ms;
  hangs_ = true;
  std::atomic<bool> listed{false};
  start([&](const std::string& r, Connection& c) {
    if (is_list(r) && !listed.exchange(true)) {
      open_stream(c);
      c.send_chunk(test::end_of_initial_events("5"));
    }
    c.be_silent();
    return false;
  });
  ASSERT_TRUE(within(10s, [&] { return report().status.state == SourceState::kFailed; }));
  EXPECT_THAT(report().status.error,
              HasSubstr("/api/v1/pods: the server has not answered for 0 s"));
  EXPECT_TRUE(report().loaded);
}

TEST_F(StreamsTest, WhatWasDeletedWhileTheVersionWasLostIsGoneAfterTheNewList) {
  std::atomic<int> lists{0};
  start([&](const std::string& r, Connection& c) {
    if (!is_list(r)) return send_status(c, "410 Gone", 410, "Expired");
    open_stream(c);
    if (++lists == 1) {
      c.send_chunk(test::event("ADDED", test::object("gone", "1")) +
                   test::event("ADDED", test::object("stays", "2")) +
                   test::end_of_initial_events("5"));
      c.send_chunk("");  // the watch ends as usual
      return true;
    }
    c.send_chunk(test::event("ADDED", test::object("stays", "9")) +
                 test::end_of_initial_events("10"));
    c.be_silent();
    return false;
  });
  EXPECT_TRUE(pods_become("stays:9"));
}

TEST_F(StreamsTest, ARotatedTokenIsTakenUp) {
  char name[] = "/tmp/streams_test.XXXXXX";
  std::string dir = mkdtemp(name);
  access_.user.token.file = dir + "/token";
  std::ofstream(access_.user.token.file) << "old";
  std::mutex mutex;
  std::string valid = "old";
  start([&](const std::string& r, Connection& c) {
    std::unique_lock lock(mutex);
    bool good = r.find("Authorization: Bearer " + valid + "\r\n") != std::string::npos;
    lock.unlock();
    if (!good) return send_status(c, "401 Unauthorized", 401, "Unauthorized");
    open_stream(c);
    if (is_list(r)) {
      c.send_chunk(test::end_of_initial_events("5"));
      // The watch ends when the token does.
      while (!c.stopping()) {
        std::this_thread::sleep_for(5ms);
        std::lock_guard again(mutex);
        if (valid != "old") break;
      }
      return false;
    }
    c.send_chunk(test::event("ADDED", test::object("after", "8")));
    c.be_silent();
    return false;
  });
  ASSERT_TRUE(streams_->wait_until_settled(10s));
  {
    std::lock_guard lock(mutex);
    std::ofstream(access_.user.token.file) << "new";
    valid = "new";
  }
  EXPECT_TRUE(pods_become("after:8"));
  std::filesystem::remove_all(dir);
}

TEST_F(StreamsTest, EachResourceFailsForItself) {
  SharedRecorder events, claims;
  server_ = std::make_unique<ScriptedServer>([](const std::string& r, Connection& c) {
    if (r.starts_with("GET /version ")) return send_version(c);
    if (r.starts_with("GET /api/v1/pods?")) return send_status(c, "403 Forbidden", 403, "no right");
    if (r.starts_with("GET /apis/resource.k8s.io/")) {
      return c.send_answer("404 Not Found", "text/plain", "404 page not found\n");
    }
    open_stream(c);
    c.send_chunk(test::event("ADDED", test::object("e", "1")) + test::end_of_initial_events("5"));
    c.be_silent();
    return false;
  });
  access_.cluster.server = server_->url();
  streams_ = std::make_unique<Streams>(access_, options_, runner_, clock_);
  streams_->add(*find_resource("pods"), pods_);
  streams_->add(*find_resource("events"), events);
  streams_->add(*find_resource("resourceclaims"), claims);
  EXPECT_FALSE(streams_->wait_until_settled(0ms));
  streams_->start();
  ASSERT_TRUE(streams_->wait_until_settled(10s));
  auto reports = streams_->report();
  EXPECT_EQ(reports[0].condition, Condition::kForbidden);
  EXPECT_THAT(reports[0].status.error, HasSubstr("forbidden: no right"));
  EXPECT_EQ(reports[1].condition, Condition::kCurrent);
  EXPECT_EQ(events.text(), "e:1");
  EXPECT_EQ(reports[2].condition, Condition::kNotServed);
  EXPECT_THAT(reports[2].status.error, HasSubstr("v1, resource.k8s.io/v1beta2"));
}

TEST_F(StreamsTest, RightsThatReturnAreUsedByAllAtOnce) {
  SharedRecorder events;
  options_.forbidden_retry = 3'600'000ms;
  std::atomic<int> refusals{0};
  std::atomic<bool> allowed{false};
  server_ = std::make_unique<ScriptedServer>([&](const std::string& r, Connection& c) {
    if (r.starts_with("GET /version ")) return send_version(c);
    // Events are refused so often that they are asked for once an hour; pods are let in soon.
    bool pods = r.starts_with("GET /api/v1/pods?");
    if (!pods && !allowed) {
      ++refusals;
      return send_status(c, "403 Forbidden", 403, "no right");
    }
    if (pods && refusals < 4) return send_status(c, "403 Forbidden", 403, "no right");
    if (pods) allowed = true;
    open_stream(c);
    c.send_chunk(test::event("ADDED", test::object("e", "1")) + test::end_of_initial_events("5"));
    c.be_silent();
    return false;
  });
  access_.cluster.server = server_->url();
  streams_ = std::make_unique<Streams>(access_, options_, runner_, clock_);
  streams_->add(*find_resource("pods"), pods_);
  streams_->add(*find_resource("events"), events);
  streams_->start();
  ASSERT_TRUE(pods_become("e:1"));
  EXPECT_TRUE(within(1500ms, [&] { return events.text() == "e:1"; }));
}

TEST_F(StreamsTest, NoServerIsAFailureThatSaysSo) {
  access_.cluster.server = "http://127.0.0.1:1";
  streams_ = std::make_unique<Streams>(access_, options_, runner_, clock_);
  streams_->add(*find_resource("pods"), pods_);
  streams_->start();
  ASSERT_TRUE(streams_->wait_until_settled(10s));
  EXPECT_EQ(report().status.state, SourceState::kFailed);
  EXPECT_THAT(report().status.error, HasSubstr("http://127.0.0.1:1/api/v1/pods: "));
  EXPECT_FALSE(streams_->server_version());
}

TEST_F(StreamsTest, APluginThatFailsIsSaid) {
  access_.user.exec = ExecPlugin{};
  access_.user.exec->command = "login";
  start([](const std::string&, Connection&) { return false; });
  ASSERT_TRUE(streams_->wait_until_settled(10s));
  EXPECT_EQ(report().condition, Condition::kRefused);
  EXPECT_EQ(report().status.error, "credentials from login: no plugin");
}

// Prints a token at once; what it is asked next it answers when it may.
class SlowPlugin final : public os::ProcessRunner {
 public:
  Result<os::Output> run(const os::Command& command) override {
    if (++runs > 1) {
      while (!may_end && !command.stop.stop_requested()) std::this_thread::sleep_for(5ms);
    }
    os::Output output;
    output.out = R"({"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}})";
    return output;
  }
  std::atomic<int> runs{0};
  std::atomic<bool> may_end{false};
};

class SlowPluginTest : public StreamsTest {
 protected:
  // Pods can be watched, and one comes while the plugin runs for the second time, which nodes need.
  void start() {
    server_ = std::make_unique<ScriptedServer>([this](const std::string& r, Connection& c) {
      if (r.starts_with("GET /version ")) return send_version(c);
      if (r.starts_with("GET /apis ")) return send_groups(c);
      const bool nodes = r.starts_with("GET /api/v1/nodes");
      if (nodes && plugin_.runs < 2) return send_status(c, "401 Unauthorized", 401, "Unauthorized");
      if (!is_list(r)) return false;
      open_stream(c);
      c.send_chunk(test::event("ADDED", test::object("a", "1")));
      c.send_chunk(test::end_of_initial_events("5"));
      if (!nodes && within(10s, [this] { return plugin_.runs == 2; })) {
        c.send_chunk(test::event("ADDED", test::object("b", "6")));
      }
      c.be_silent();
      return false;
    });
    access_.cluster.server = server_->url();
    access_.user.exec = ExecPlugin{};
    access_.user.exec->command = "login";
    access_.user.exec->api_version = "client.authentication.k8s.io/v1";
    streams_ = std::make_unique<Streams>(access_, options_, plugin_, clock_);
    streams_->add(*find_resource("pods"), pods_);
    streams_->add(*find_resource("nodes"), nodes_);
    streams_->start();
  }

  SlowPlugin plugin_;
  SharedRecorder nodes_;
};

TEST_F(SlowPluginTest, TheOtherWatchesGoOnWhileItRuns) {
  start();
  EXPECT_TRUE(pods_become("a:1 b:6"));
  EXPECT_FALSE(plugin_.may_end);
  EXPECT_EQ(nodes_.text(), "");
  plugin_.may_end = true;
  EXPECT_TRUE(within(10s, [this] { return nodes_.text() == "a:1"; })) << nodes_.text();
  EXPECT_EQ(plugin_.runs, 2);
}

TEST_F(SlowPluginTest, StoppingDoesNotWaitForIt) {
  start();
  ASSERT_TRUE(within(10s, [this] { return plugin_.runs == 2; }));
  const auto began = std::chrono::steady_clock::now();
  streams_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
}

}  // namespace
}  // namespace schedlens::kube
