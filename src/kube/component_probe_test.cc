// SPDX-License-Identifier: Apache-2.0
#include "kube/components.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "kube/no_plugin_test.h"
#include "net/scripted_server_test.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using model::SourceState;
using net::test::Connection;
using net::test::ScriptedServer;
using testing::HasSubstr;

using test::NoPlugin;

constexpr const char* kPage = R"(# TYPE scheduler_pending_pods gauge
scheduler_pending_pods{queue="active"} 3
)";

// A scheduler that answers with this, or never where the status is empty.
class ComponentProbeTest : public testing::Test {
 protected:
  ComponentProbe<model::KubeScheduler> probe() {
    PageAddress address;
    address.url = server_.url();
    return {kube_scheduler(address, std::make_shared<Credentials>(Access{}, runner_, clock_)),
            clock_};
  }

  NoPlugin runner_;
  os::SystemClock clock_;
  std::string status_ = "200 OK";
  std::atomic<int> asked_{0};
  ScriptedServer server_{[this](const std::string&, Connection& c) {
    ++asked_;
    if (!status_.empty()) return c.send_answer(status_, "text/plain", kPage);
    c.be_silent();
    return false;
  }};
};

TEST_F(ComponentProbeTest, KeepsTheLastGoodAnswer) {
  auto p = probe();
  p.read();
  ASSERT_TRUE(p.last()) << p.status().error;
  EXPECT_EQ(p.status().state, SourceState::kFresh);
  const auto good = p.status().last_success;
  status_ = "503 Service Unavailable";
  p.read();
  EXPECT_EQ(p.status().state, SourceState::kFailed);
  EXPECT_THAT(p.status().error, HasSubstr("/metrics: status 503"));
  EXPECT_EQ(p.status().last_success, good);
  ASSERT_TRUE(p.last());
  EXPECT_EQ(p.last()->queues.at(0).pods, 3);
}

TEST_F(ComponentProbeTest, AGoodAnswerWillDoForAWhileAndAFailureWillNot) {
  PageAddress address;
  address.url = server_.url();
  auto component =
      kube_scheduler(address, std::make_shared<Credentials>(Access{}, runner_, clock_));
  component.every = Seconds{3600};
  ComponentProbe<model::KubeScheduler> p{std::move(component), clock_};
  status_ = "503 Service Unavailable";
  p.read();
  EXPECT_EQ(p.status().state, SourceState::kNever);
  status_ = "200 OK";
  p.read();
  EXPECT_EQ(p.status().state, SourceState::kFresh);
  p.read();
  EXPECT_EQ(asked_, 2);
}

TEST_F(ComponentProbeTest, ARightThatIsMissingIsNamed) {
  status_ = "403 Forbidden";
  auto p = probe();
  p.read();
  EXPECT_EQ(p.status().state, SourceState::kNever);
  EXPECT_THAT(p.status().error, HasSubstr("nonResourceURL /metrics"));
}

TEST_F(ComponentProbeTest, DoesNotWaitForAHungSchedulerWhenToldToStop) {
  status_.clear();
  auto p = probe();
  std::stop_source stop;
  std::jthread stopping([&] {
    while (asked_ == 0) std::this_thread::sleep_for(5ms);
    stop.request_stop();
  });
  const auto began = std::chrono::steady_clock::now();
  p.read(stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
  EXPECT_NE(p.status().state, SourceState::kFresh);
}

}  // namespace
}  // namespace schedlens::kube
