// SPDX-License-Identifier: Apache-2.0
// Delivery over real sockets and to real programs, with faults.
#include "alert/sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "alert/rules_test.h"
#include "net/scripted_server_test.h"

namespace schedlens::alert {
namespace {

using namespace std::chrono_literals;
using net::test::Connection;
using net::test::ScriptedServer;
using test::rules;
using testing::HasSubstr;
using testing::Not;

// Keeps what was posted, and answers with the statuses given, the last of them for ever.
class Taker {
 public:
  explicit Taker(std::vector<std::string> statuses)
      : server_([this, statuses = std::move(statuses)](const std::string& request,
                                                       Connection& connection) {
          auto body = connection.read_body(request);
          std::string status;
          {
            std::lock_guard lock(mutex_);
            status = statuses[std::min(bodies_.size(), statuses.size() - 1)];
            bodies_.push_back(request.substr(0, request.find('\r')) + "\n" + body);
          }
          if (status == "silent") {
            connection.be_silent();
            return false;
          }
          return connection.send_answer(status, "text/plain", "said so");
        }) {}

  std::vector<std::string> bodies() const {
    std::lock_guard lock(mutex_);
    return bodies_;
  }
  std::string url(const std::string& path = "") const { return server_.url(path); }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> bodies_;
  ScriptedServer server_;
};

template <class Condition>
bool soon(Condition&& holds) {
  for (int i = 0; i < 1000 && !holds(); ++i) std::this_thread::sleep_for(10ms);
  return holds();
}

struct Firing {
  Engine engine{rules({"name: A, value: {metric: a}, above: 0"})};
  explicit Firing(os::Clock& clock) { set(clock, 1); }
  void set(os::Clock& clock, double value) {
    Input input;
    input.time = clock.now();
    input.samples = {{"a", {}, value}};
    engine.evaluate(input);
  }
};

TEST(Sender, TellsAWebhookOnceOfTheBeginAndOnceOfTheEnd) {
  os::SystemClock clock;
  Taker taker({"200 OK"});
  Sender sender("hook", Hearing::events(), webhook({.url = taker.url("/x?token=secret")}), clock);
  Firing firing(clock);
  sender.update(firing.engine.alerts());
  ASSERT_TRUE(soon([&] { return taker.bodies().size() == 1; }));
  ASSERT_TRUE(soon([&] { return sender.health().waiting == 0; }));
  sender.update(firing.engine.alerts());
  firing.set(clock, 0);
  sender.update(firing.engine.alerts());
  ASSERT_TRUE(soon([&] { return taker.bodies().size() == 2; }));
  const auto bodies = taker.bodies();
  EXPECT_THAT(bodies[0], HasSubstr("POST /x?token=secret HTTP/1.1\n"));
  EXPECT_THAT(bodies[0], HasSubstr(R"("status":"firing")"));
  EXPECT_THAT(bodies[1], HasSubstr(R"("status":"resolved")"));
  ASSERT_TRUE(soon([&] { return sender.health().waiting == 0; }));
  EXPECT_TRUE(sender.health().last_success.has_value());
}

TEST(Sender, GoesOnAfterAFailureAndSaysWhatItWas) {
  os::SystemClock clock;
  Taker taker({"503 Service Unavailable", "200 OK"});
  Sender sender("hook", Hearing::events(), webhook({.url = taker.url("/x?token=secret")}), clock);
  Firing firing(clock);
  sender.update(firing.engine.alerts());
  ASSERT_TRUE(soon([&] { return sender.health().failures == 1; }));
  EXPECT_EQ(sender.health().waiting, 1u);
  EXPECT_THAT(sender.health().error, HasSubstr("/x: status 503: said so"));
  EXPECT_THAT(sender.health().error, Not(HasSubstr("secret")));
  ASSERT_TRUE(soon([&] { return sender.health().waiting == 0; }));  // after five seconds
  EXPECT_EQ(taker.bodies().size(), 2u);
  EXPECT_EQ(sender.health().error, "");
}

TEST(Sender, AReceiverThatHangsHoldsUpNobody) {
  os::SystemClock clock;
  Taker taker({"silent"});
  const auto begin = std::chrono::steady_clock::now();
  {
    Sender sender("hook", Hearing::events(), webhook({.url = taker.url()}), clock);
    Firing firing(clock);
    sender.update(firing.engine.alerts());
    ASSERT_TRUE(soon([&] { return taker.bodies().size() == 1; }));
    sender.update(firing.engine.alerts());
    EXPECT_EQ(sender.health().waiting, 1u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

TEST(Sender, NobodyListeningIsNamedWithoutSecrets) {
  os::SystemClock clock;
  std::stop_source stop;
  auto receiver = webhook({.url = "http://127.0.0.1:1/x?token=secret"});
  auto result = receiver->send({}, stop.get_token());
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message(), HasSubstr("webhook http://127.0.0.1:1/x"));
  EXPECT_THAT(result.error().message(), Not(HasSubstr("secret")));
}

TEST(Sender, AsksAlertmanagersApi) {
  Taker taker({"200 OK"});
  Notice notice;
  notice.firing = true;
  notice.labels = {{"alertname", "A"}};
  std::stop_source stop;
  ASSERT_TRUE(
      alertmanager({.url = taker.url("/prefix/")})->send({notice}, stop.get_token()).has_value());
  EXPECT_THAT(taker.bodies().at(0),
              HasSubstr("POST /prefix/api/v2/alerts HTTP/1.1\n[{\"labels\":"));
}

TEST(Sender, GivesAProgramTheAlertsOnItsInput) {
  os::SystemClock clock;
  os::SystemProcessRunner runner;
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("alerts_{}.json", getpid());
  std::filesystem::remove(path);
  auto content = [&] {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  {
    Sender sender("program", Hearing::events(),
                  program({.argv = {"/bin/sh", "-c", "cat >> " + path.string()},
                           .environment = {"PATH=/usr/bin:/bin"}},
                          runner),
                  clock);
    Firing firing(clock);
    sender.update(firing.engine.alerts());
    ASSERT_TRUE(soon([&] { return sender.health().waiting == 0; }));
  }
  EXPECT_THAT(content(), HasSubstr(R"("labels":{"alertname":"A")"));
  std::filesystem::remove(path);
  std::stop_source stop;
  auto failing = program({.argv = {"/bin/sh", "-c", "echo no mail >&2; exit 3"}}, runner);
  EXPECT_THAT(failing->send({}, stop.get_token()).error().message(), HasSubstr("exit 3: no mail"));
}

TEST(Sender, TakesUpWhereTheLastOneEnded) {
  os::SystemClock clock;
  Firing firing(clock);
  std::string state;
  {
    Taker taker({"200 OK"});
    Sender sender("hook", Hearing::events(), webhook({.url = taker.url()}), clock);
    sender.update(firing.engine.alerts());
    ASSERT_TRUE(soon([&] { return sender.health().waiting == 0 && !taker.bodies().empty(); }));
    state = sender.save();
  }
  Taker taker({"200 OK"});
  Sender sender("hook", Hearing::events(), webhook({.url = taker.url()}), clock, state);
  sender.update(firing.engine.alerts());
  firing.set(clock, 0);
  sender.update(firing.engine.alerts());
  ASSERT_TRUE(soon([&] { return !taker.bodies().empty(); }));
  EXPECT_THAT(taker.bodies().at(0), HasSubstr(R"("status":"resolved")"));
}

}  // namespace
}  // namespace schedlens::alert
