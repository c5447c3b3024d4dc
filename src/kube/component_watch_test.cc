// SPDX-License-Identifier: Apache-2.0
#include "kube/component_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "kube/components.h"
#include "kube/no_plugin_test.h"
#include "net/scripted_server_test.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using model::SourceState;
using net::test::Connection;
using net::test::ScriptedServer;
using Watch = ComponentWatch<model::KubeScheduler>;

using test::NoPlugin;

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

// A scheduler that answers, until it hangs.
class ComponentWatchTest : public testing::Test {
 protected:
  Component<model::KubeScheduler> component() {
    PageAddress address;
    address.url = server_.url();
    return kube_scheduler(address, std::make_shared<Credentials>(Access{}, runner_, clock_));
  }

  NoPlugin runner_;
  os::SystemClock clock_;
  std::atomic<bool> hangs_{false};
  std::atomic<int> asked_{0};
  ScriptedServer server_{[this](const std::string&, Connection& c) {
    ++asked_;
    if (!hangs_) return c.send_answer("200 OK", "text/plain", "scheduler_pending_pods 3\n");
    c.be_silent();
    return false;
  }};
};

TEST_F(ComponentWatchTest, KeepsTheLastAnswerWhileTheNextIsAwaited) {
  Watch watch(component(), clock_);
  EXPECT_EQ(watch.status().state, SourceState::kNever);
  watch.begin();
  ASSERT_TRUE(watch.wait_until(in(10s)));
  const auto good = watch.status();
  EXPECT_EQ(good.state, SourceState::kFresh);
  hangs_ = true;
  watch.begin();
  EXPECT_FALSE(watch.wait_until(in(50ms)));
  watch.begin();  // not asked twice at the same time
  EXPECT_FALSE(watch.wait_until(in(50ms)));
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(watch.status().last_success, good.last_success);
  EXPECT_TRUE(watch.last());
}

TEST_F(ComponentWatchTest, EndsWithoutAwaitingAnAnswer) {
  hangs_ = true;
  const auto begin = std::chrono::steady_clock::now();
  {
    Watch watch(component(), clock_);
    watch.begin();
    while (asked_ == 0) EXPECT_FALSE(watch.wait_until(in(5ms)));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);  // the page's patience is 5 s
}

}  // namespace
}  // namespace schedlens::kube
