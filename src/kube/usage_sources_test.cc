// SPDX-License-Identifier: Apache-2.0
#include "kube/usage_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>

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
  Timestamp time{1'800'000'000};
};

model::Node node(std::string_view name, std::string address, std::uint32_t gpus = 8) {
  model::Node n;
  n.name = Symbol(name);
  n.address = std::move(address);
  model::GresPool pool;
  pool.name = model::names::kGpu;
  pool.total = gpus;
  if (gpus > 0) n.gres.push_back(pool);
  return n;
}

constexpr auto kGroups =
    R"({"groups":[{"name":"metrics.k8s.io","preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1"}}]})";
constexpr auto kPods =
    R"({"kind":"PodMetricsList","items":[{"metadata":{"namespace":"ml","name":"a"},
    "timestamp":"2027-01-15T08:00:00Z","window":"15s",
    "containers":[{"name":"c","usage":{"cpu":"250m","memory":"1Gi"}}]}]})";
constexpr auto kNodes = R"({"kind":"NodeMetricsList","items":[{"metadata":{"name":"n1"},
    "timestamp":"2027-01-15T08:00:00Z","window":"15s","usage":{"cpu":"2","memory":"4Gi"}}]})";

// An API server; what it does not have is not found.
class UsageSourcesTest : public testing::Test {
 protected:
  void serve(std::string path, std::string body, std::string status = "200 OK") {
    std::lock_guard lock(mutex_);
    pages_[std::move(path)] = {std::move(status), std::move(body)};
  }
  Credentials credentials() {
    Access access;
    access.cluster.server = server_.url();
    return {access, runner_, clock_};
  }

  NoPlugin runner_;
  Now clock_;
  std::atomic<int> asked_{0};
  std::mutex mutex_;
  std::map<std::string, std::pair<std::string, std::string>> pages_;
  ScriptedServer server_{[this](const std::string& request, Connection& c) {
    ++asked_;
    const auto begin = request.find(' ') + 1;
    const auto path = request.substr(begin, request.find(' ', begin) - begin);
    std::lock_guard lock(mutex_);
    const auto page = pages_.find(path);
    if (page == pages_.end()) return c.send_answer("404 Not Found", "text/plain", "");
    return c.send_answer(page->second.first, "application/json", page->second.second);
  }};
};

TEST_F(UsageSourcesTest, AClusterWithoutAMetricsApiIsAskedAgainNowAndThen) {
  serve("/apis", R"({"groups":[]})");
  auto credentials = this->credentials();
  MetricsApi api("", credentials, clock_);
  api.read({});
  EXPECT_TRUE(api.absent());
  EXPECT_FALSE(api.last());
  api.read({});
  EXPECT_EQ(asked_, 1);
  serve("/apis", kGroups);
  serve("/apis/metrics.k8s.io/v1beta1/pods", kPods);
  serve("/apis/metrics.k8s.io/v1beta1/nodes", kNodes);
  clock_.time = clock_.time + Seconds{300};
  api.read({});
  EXPECT_FALSE(api.absent());
  ASSERT_TRUE(api.last()) << api.status().error;
  EXPECT_EQ(api.status().state, SourceState::kFresh);
  EXPECT_DOUBLE_EQ(*api.last()->pods.at(0).use.cpu, 0.25);
}

TEST_F(UsageSourcesTest, AMetricsApiThatFailsKeepsWhatItSaid) {
  serve("/apis", kGroups);
  serve("/apis/metrics.k8s.io/v1beta1/pods", kPods);
  serve("/apis/metrics.k8s.io/v1beta1/nodes", kNodes);
  auto credentials = this->credentials();
  MetricsApi api("", credentials, clock_);
  api.read({});
  const auto before = clock_.time;
  clock_.time = clock_.time + Seconds{60};
  serve("/apis/metrics.k8s.io/v1beta1/pods", "", "503 Service Unavailable");
  api.read({});
  EXPECT_EQ(api.status().state, SourceState::kFailed);
  EXPECT_THAT(api.status().error, HasSubstr("status 503"));
  EXPECT_EQ(api.status().last_success, before);
  EXPECT_EQ(api.last()->pods.size(), 1u);
}

TEST_F(UsageSourcesTest, PodsOfOneNamespaceAreWorthHavingWithoutNodes) {
  serve("/apis", kGroups);
  serve("/apis/metrics.k8s.io/v1beta1/namespaces/ml/pods", kPods);
  serve("/apis/metrics.k8s.io/v1beta1/nodes", "", "403 Forbidden");
  auto credentials = this->credentials();
  MetricsApi api("ml", credentials, clock_);
  api.read({});
  EXPECT_EQ(api.status().state, SourceState::kPartial);
  EXPECT_THAT(api.status().error, HasSubstr("nodes: "));
  EXPECT_THAT(api.status().error, HasSubstr("they need `list` on pods and nodes"));
  EXPECT_EQ(api.last()->pods.size(), 1u);
}

TEST_F(UsageSourcesTest, KubeletsByTheApiServerEachWithItsLastAnswer) {
  const auto page = [](int seconds, int memory) {
    const auto ms = 1'800'000'000'000 + seconds * 1000;
    return "node_cpu_usage_seconds_total " + std::to_string(100 + 2 * seconds) + ' ' +
           std::to_string(ms) + "\nnode_memory_working_set_bytes " + std::to_string(memory) + ' ' +
           std::to_string(ms) + '\n';
  };
  UsageOptions options;
  options.page = KubeletPage::kResource;
  options.kubelets.reach = KubeletReach::kProxy;
  auto credentials = this->credentials();
  KubeletUse kubelets(options, credentials, clock_);
  EXPECT_FALSE(kubelets.last());
  for (const char* name : {"n1", "n2"}) {
    serve(std::string("/api/v1/nodes/") + name + "/proxy/metrics/resource", page(0, 5));
  }
  const Nodes nodes{node("n1", "10.0.0.1"), node("n2", "10.0.0.2")};
  kubelets.read(nodes, {});
  EXPECT_EQ(kubelets.status().name, "kubelets /metrics/resource");
  EXPECT_EQ(kubelets.status().state, SourceState::kFresh) << kubelets.status().error;
  ASSERT_EQ(kubelets.last()->size(), 2u);
  EXPECT_FALSE((*kubelets.last())[0].nodes.at(0).use.cpu);  // from the second look on

  serve("/api/v1/nodes/n1/proxy/metrics/resource", page(10, 6));
  serve("/api/v1/nodes/n2/proxy/metrics/resource", "", "502 Bad Gateway");
  kubelets.read(nodes, {});
  EXPECT_EQ(kubelets.status().state, SourceState::kPartial);
  EXPECT_THAT(kubelets.status().error, HasSubstr("1 of 2 kubelets failed; n2: "));
  EXPECT_DOUBLE_EQ(*(*kubelets.last())[0].nodes.at(0).use.cpu, 2);
  EXPECT_EQ((*kubelets.last())[1].nodes.at(0).use.memory, Bytes{5});  // old, and says when

  kubelets.read({nodes[0]}, {});
  EXPECT_EQ(kubelets.last()->size(), 1u);
}

TEST_F(UsageSourcesTest, AKubeletThatCouldNotMeasureAllSaysSo) {
  UsageOptions options;
  options.page = KubeletPage::kResource;
  options.kubelets.reach = KubeletReach::kProxy;
  auto credentials = this->credentials();
  KubeletUse kubelets(options, credentials, clock_);
  serve("/api/v1/nodes/n1/proxy/metrics/resource",
        "node_memory_working_set_bytes 5 1800000000000\nresource_scrape_error 1\n");
  kubelets.read({node("n1", "10.0.0.1")}, {});
  EXPECT_THAT(kubelets.status().error, HasSubstr("n1: the kubelet could not measure all"));
  EXPECT_EQ((*kubelets.last())[0].nodes.at(0).use.memory, Bytes{5});
}

TEST_F(UsageSourcesTest, OneExporterOnEachNodeWithDevices) {
  serve("/127.1.1.1/metrics", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",pod=\"\"} 40\n");
  serve("/n2/metrics", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-b\",pod=\"\"} 0\n");
  auto credentials = this->credentials();
  const Nodes nodes{node("n1", "127.1.1.1"), node("cpu", "127.1.1.2", 0)};
  GpuExporters by_address({server_.url() + "/{address}/metrics"}, credentials, clock_);
  by_address.read(nodes, {}, {});
  EXPECT_EQ(by_address.status().state, SourceState::kFresh) << by_address.status().error;
  ASSERT_EQ(by_address.last()->size(), 1u);
  EXPECT_EQ(by_address.last()->at(0).node, "n1");
  GpuExporters by_name({server_.url() + "/{node}/metrics"}, credentials, clock_);
  by_name.read({node("n2", "", 0), node("n3", "", 0)}, {Symbol("n2")}, {});  // by claims
  EXPECT_EQ(by_name.last()->at(0).gpus.at(0).gpu.uuid, "GPU-b");
}

// Ten minutes of the past at most, five at least once it has watched that long.
TEST_F(UsageSourcesTest, TheMostThatADeviceWasSeenToDo) {
  auto credentials = this->credentials();
  GpuExporters exporters({server_.url() + "/metrics"}, credentials, clock_);
  const auto look = [&](int busy) {
    serve("/metrics",
          "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"} " + std::to_string(busy) + '\n');
    exporters.read({}, {}, {});
    return exporters.last()->at(0).gpus.at(0).gpu;
  };
  const auto begin = clock_.time;
  auto gpu = look(90);
  EXPECT_DOUBLE_EQ(*gpu.busiest, 0.9);
  EXPECT_EQ(gpu.watched_since, begin);
  clock_.time = clock_.time + Seconds{200};
  gpu = look(0);
  EXPECT_DOUBLE_EQ(*gpu.busy, 0);
  EXPECT_DOUBLE_EQ(*gpu.busiest, 0.9);
  clock_.time = clock_.time + Seconds{200};
  EXPECT_DOUBLE_EQ(*look(0).busiest, 0.9);  // a second span has begun
  clock_.time = clock_.time + Seconds{300};
  gpu = look(0);
  EXPECT_DOUBLE_EQ(*gpu.busiest, 0);  // the first is forgotten
  EXPECT_EQ(gpu.watched_since, begin + Seconds{400});
}

}  // namespace
}  // namespace schedlens::kube
