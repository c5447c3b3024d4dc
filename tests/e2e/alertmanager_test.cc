// SPDX-License-Identifier: Apache-2.0
// Alerts given to a real Alertmanager, by two replicas, through its restart: who is told of them
// gets one message for what belongs together, and one when it is over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "alert/engine.h"
#include "alert/rule_set.h"
#include "alert/sender.h"
#include "net/http_client.h"
#include "net/scripted_server_test.h"

namespace schedlens::alert {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kProgram = "/usr/bin/prometheus-alertmanager";

template <class Condition>
bool within(std::chrono::seconds time, Condition&& holds) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!holds() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(50ms);
  return holds();
}

// The one whom the Alertmanager tells.
class Person {
 public:
  // "firing: nvidia.com/gpu firing, amd.com/gpu resolved", a message each.
  std::vector<std::string> messages() const {
    std::lock_guard lock(mutex_);
    return messages_;
  }
  std::string url() const { return server_.url("/told"); }

 private:
  static std::string in_words(const std::string& body) {
    simdjson::dom::parser parser;
    simdjson::dom::element document = parser.parse(body);
    std::set<std::string> alerts;
    for (simdjson::dom::element alert : simdjson::dom::array(document["alerts"])) {
      alerts.insert(fmt::format("{} {}", std::string_view(alert["labels"]["resource"]),
                                std::string_view(alert["status"])));
    }
    return fmt::format("{}: {}", std::string_view(document["status"]), fmt::join(alerts, ", "));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
  net::test::ScriptedServer server_{
      [this](const std::string& request, net::test::Connection& connection) {
        const auto body = connection.read_body(request);
        {
          std::lock_guard lock(mutex_);
          messages_.push_back(in_words(body));
        }
        return connection.send_answer("200 OK", "text/plain", "");
      }};
};

class Alertmanager {
 public:
  explicit Alertmanager(const std::string& told_to)
      : directory_(std::filesystem::temp_directory_path() /
                   fmt::format("alertmanager_{}", getpid())),
        port_(20'000 + getpid() % 20'000) {
    std::filesystem::create_directory(directory_);
    std::ofstream(directory_ / "config.yml")
        << "route: {receiver: person, group_by: [alertname], group_wait: 2s, group_interval: 2s, "
           "repeat_interval: 1h}\nreceivers:\n- name: person\n  webhook_configs:\n  - {url: '"
        << told_to << "', send_resolved: true}\n";
    start();
  }
  ~Alertmanager() {
    stop();
    std::filesystem::remove_all(directory_);
  }

  std::string url(const std::string& path = "") const {
    return fmt::format("http://127.0.0.1:{}{}", port_, path);
  }
  bool ready() const {
    auto answer = net::get(url("/-/ready"));
    return answer && answer->status == 200;
  }
  // Names of the resources of the alerts that it holds for active.
  std::set<std::string> active() const {
    auto body = net::get_body(url("/api/v2/alerts?active=true"));
    std::set<std::string> names;
    if (!body) return names;
    simdjson::dom::parser parser;
    simdjson::dom::element document = parser.parse(*body);
    for (simdjson::dom::element alert : simdjson::dom::array(document)) {
      names.emplace(std::string_view(alert["labels"]["resource"]));
    }
    return names;
  }
  void start() {
    running_ = std::jthread([this](const std::stop_token& token) {
      os::Command command;
      command.argv = {kProgram, fmt::format("--config.file={}/config.yml", directory_.string()),
                      fmt::format("--storage.path={}", directory_.string()),
                      fmt::format("--web.listen-address=127.0.0.1:{}", port_),
                      "--cluster.listen-address="};
      command.environment = {"PATH=/usr/bin:/bin"};
      command.timeout = 120s;
      command.stop = token;
      (void)os::SystemProcessRunner().run(command);
    });
  }
  void stop() {
    running_.request_stop();
    running_.join();
  }

 private:
  std::filesystem::path directory_;
  int port_;
  std::jthread running_;
};

// One schedlens of two that see the same.
class Replica {
 public:
  explicit Replica(const std::string& url)
      : engine_(load_rules(stock_rules()).value().rules, {{"cluster", "c1"}}),
        sender_("alertmanager", hearing(), alertmanager({.url = url, .link = "http://schedlens/"}),
                clock_) {}

  // Unhealthy devices on so many nodes of each resource, for six minutes.
  void see(int nvidia, int amd) {
    for (std::int64_t ago : {360, 0}) {
      if (ago > 0 && started_) continue;
      Input input;
      input.time = clock_.now() + Seconds{-ago};
      for (int i = 0; i < nvidia; ++i) input.samples.push_back(unhealthy(i, "nvidia.com/gpu"));
      for (int i = 0; i < amd; ++i) input.samples.push_back(unhealthy(i, "amd.com/gpu"));
      engine_.evaluate(input);
    }
    started_ = true;
    sender_.update(engine_.alerts());
  }
  Sender::Health health() const { return sender_.health(); }

 private:
  // As to an Alertmanager, with seconds for minutes.
  static Hearing hearing() {
    auto hearing = Hearing::alertmanager();
    hearing.repeat = Seconds{1};
    hearing.repeat_end = Seconds{5};
    return hearing;
  }
  static Sample unhealthy(int node, const std::string& resource) {
    return {"schedlens_node_devices_unhealthy",
            {{"node", fmt::format("n{}", node)}, {"resource", resource}},
            1};
  }

  os::SystemClock clock_;
  Engine engine_;
  bool started_ = false;
  Sender sender_;
};

TEST(Alertmanager, TellsOnceOfWhatBelongsTogetherAndOnceOfItsEnd) {
  if (!std::filesystem::exists(kProgram))
    GTEST_SKIP() << kProgram << " is missing (./dev setup alerts)";
  Person person;
  Alertmanager manager(person.url());
  ASSERT_TRUE(within(20s, [&] { return manager.ready(); }));
  Replica one(manager.url()), two(manager.url());
  auto both = [&](int nvidia, int amd) {
    one.see(nvidia, amd);
    two.see(nvidia, amd);
  };
  both(40, 3);
  ASSERT_TRUE(within(15s, [&] { return !person.messages().empty(); }));
  EXPECT_THAT(person.messages(), ElementsAre("firing: amd.com/gpu firing, nvidia.com/gpu firing"));

  // Forty nodes or thirty: what is sent again and again is the same alert.
  for (int i = 0; i < 16; ++i) {
    both(40 - i, 3);
    std::this_thread::sleep_for(500ms);
  }
  EXPECT_EQ(person.messages().size(), 1u);

  both(24, 0);
  ASSERT_TRUE(within(15s, [&] { return person.messages().size() >= 2; }));
  EXPECT_EQ(person.messages()[1], "firing: amd.com/gpu resolved, nvidia.com/gpu firing");

  // It goes, and comes back with nothing in its memory.
  manager.stop();
  ASSERT_TRUE(within(15s, [&] {
    both(24, 0);
    return one.health().failures > 0 && two.health().failures > 0;
  }));
  EXPECT_THAT(one.health().error, HasSubstr("alertmanager http://127.0.0.1:"));
  manager.start();
  ASSERT_TRUE(
      within(40s, [&] { return manager.active() == std::set<std::string>{"nvidia.com/gpu"}; }));

  // What it has told is lost with it, so that it tells once more that this fires.
  ASSERT_TRUE(within(15s, [&] { return person.messages().size() >= 3; }));
  both(0, 0);
  ASSERT_TRUE(within(15s, [&] { return person.messages().size() >= 4; }));
  std::this_thread::sleep_for(6s);
  EXPECT_THAT(person.messages(),
              ElementsAre("firing: amd.com/gpu firing, nvidia.com/gpu firing",
                          "firing: amd.com/gpu resolved, nvidia.com/gpu firing",
                          "firing: nvidia.com/gpu firing", "resolved: nvidia.com/gpu resolved"));
  EXPECT_TRUE(manager.active().empty());
}

}  // namespace
}  // namespace schedlens::alert
