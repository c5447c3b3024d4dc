// SPDX-License-Identifier: Apache-2.0
#include "kube/kubelets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "kube/no_plugin_test.h"
#include "model/node_object.h"
#include "net/scripted_server_test.h"

namespace schedlens::kube {
namespace {

using model::SourceState;
using net::test::Connection;
using net::test::ScriptedServer;
using testing::HasSubstr;

using test::NoPlugin;

class Now final : public os::Clock {
 public:
  Timestamp now() const override { return time; }
  Timestamp time{1'000'000};
};

model::Node node(std::string_view name, std::string address = "10.0.0.5",
                 std::int32_t port = 10250) {
  model::Node n;
  n.name = Symbol(name);
  n.address = std::move(address);
  model::NodeObject object;
  object.kubelet_port = port;
  n.object = std::make_shared<const model::NodeObject>(std::move(object));
  return n;
}

// An API server that passes questions on to nodes; those in broken do not answer it.
class KubeletsTest : public testing::Test {
 protected:
  Kubelets kubelets() {
    Access access;
    access.cluster.server = server_.url();
    return {{KubeletReach::kProxy, "", false, Seconds{60}},
            std::make_shared<Credentials>(access, runner_, clock_),
            clock_};
  }

  NoPlugin runner_;
  Now clock_;
  std::atomic<int> asked_{0};
  std::atomic<bool> second_is_broken_{false};
  std::atomic<bool> all_hang_{false};
  ScriptedServer server_{[this](const std::string& request, Connection& c) {
    ++asked_;
    if (all_hang_) {
      c.be_silent();
      return false;
    }
    if (second_is_broken_ && request.find("/nodes/b/proxy") != std::string::npos) {
      return c.send_answer("502 Bad Gateway", "text/plain", "");
    }
    return c.send_answer("200 OK", "text/plain", "kubelet_running_pods 3\n");
  }};
};

TEST_F(KubeletsTest, ThoseThatAnswerCountAndTheOthersKeepWhatTheySaidLast) {
  auto k = kubelets();
  const std::vector<model::Node> nodes{node("a"), node("b")};
  k.read(nodes, {});
  EXPECT_EQ(k.status().state, SourceState::kFresh) << k.status().error;
  ASSERT_EQ(k.last().size(), 2u);
  EXPECT_EQ(k.last()[1].node, Symbol("b"));
  EXPECT_EQ(k.last()[1].running_pods, 3);
  const auto first = clock_.time;

  second_is_broken_ = true;
  clock_.time = clock_.time + Seconds{60};
  k.read(nodes, {});
  EXPECT_EQ(k.status().state, SourceState::kPartial);
  EXPECT_THAT(k.status().error, HasSubstr("1 of 2 kubelets failed; b: "));
  EXPECT_THAT(k.status().error, HasSubstr("status 502"));
  ASSERT_EQ(k.last().size(), 2u);
  EXPECT_EQ(k.last()[0].time, clock_.time);
  EXPECT_EQ(k.last()[1].time, first);  // old, and said to be
}

TEST_F(KubeletsTest, NotMoreOftenThanTheInterval) {
  auto k = kubelets();
  k.read({node("a")}, {});
  clock_.time = clock_.time + Seconds{59};
  k.read({node("a")}, {});
  EXPECT_EQ(asked_, 1);
}

// Sixteen at a time, five seconds each: those that hang leave time for two rounds.
TEST_F(KubeletsTest, KubeletsThatHangHoldNothingUpForLong) {
  all_hang_ = true;
  std::vector<model::Node> nodes;
  for (int i = 0; i < 60; ++i) nodes.push_back(node("n" + std::to_string(i)));
  auto k = kubelets();
  const auto begin = std::chrono::steady_clock::now();
  k.read(nodes, {});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(k.status().state, SourceState::kNever);
  EXPECT_THAT(k.status().error, HasSubstr("60 of 60 kubelets failed"));
  all_hang_ = false;
  clock_.time = clock_.time + Seconds{60};
  k.read(nodes, {});
  EXPECT_EQ(k.last().size(), 60u) << k.status().error;
}

TEST_F(KubeletsTest, ANodeThatIsGoneIsForgotten) {
  auto k = kubelets();
  k.read({node("a"), node("b")}, {});
  clock_.time = clock_.time + Seconds{60};
  k.read({node("b")}, {});
  ASSERT_EQ(k.last().size(), 1u);
  EXPECT_EQ(k.last()[0].node, Symbol("b"));
}

TEST_F(KubeletsTest, DirectNeedsAnAddressAndHasItsOwnTrust) {
  Access access;
  access.cluster.server = server_.url();
  Credentials credentials(access, runner_, clock_);
  const KubeletOptions direct{KubeletReach::kDirect, "", true, Seconds{60}};
  auto request = kubelet_request(node("a"), "/metrics", direct, credentials);
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(request->url, "https://10.0.0.5:10250/metrics");
  EXPECT_TRUE(request->tls.insecure);
  request = kubelet_request(node("a", "fd00::5"), "/metrics", direct, credentials);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->url, "https://[fd00::5]:10250/metrics");
  request = kubelet_request(node("a", "10.0.0.5", 0), "/metrics", direct, credentials);
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message(), HasSubstr("does not say where its kubelet listens"));
}

}  // namespace
}  // namespace schedlens::kube
