// SPDX-License-Identifier: Apache-2.0
// Pages that say what is used, as their programs write them, in tests/fixtures/kube/usage.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/time_text.h"
#include "kube/cpu_rate.h"
#include "kube/metrics_api.h"
#include "kube/resource_page.h"
#include "kube/stats_summary.h"

namespace schedlens::kube {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kNow = 1'800'000'000;

std::string page(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(SCHEDLENS_FIXTURES "/kube/usage/" + name).rdbuf();
  return text.str();
}

const model::Use* use_of(const Measured& measured, std::string_view name) {
  for (const auto& pod : measured.pods) {
    if (pod.name == name) return &pod.use;
  }
  return nullptr;
}

TEST(MetricsApiPage, AContainerWithoutAValueDoesNotHideItsPod) {
  Measured measured;
  const auto read = read_pod_metrics(page("pod-metrics.json"), measured);
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(measured.pods.size(), 2u);  // of "nothing" nothing is known
  const auto& use = *use_of(measured, "train-0");
  EXPECT_DOUBLE_EQ(*use.cpu, 2.003456789);
  EXPECT_EQ(use.memory, Bytes{976564 * 1024});
  EXPECT_EQ(use.window, Seconds{15});
  EXPECT_EQ(iso8601(*use.sampled), "2027-01-15T07:59:40Z");
}

TEST(MetricsApiPage, LessThanNothingIsNotKnown) {
  Measured measured;
  ASSERT_TRUE(read_pod_metrics(page("pod-metrics.json"), measured));
  const auto& use = *use_of(measured, "broken");
  EXPECT_FALSE(use.cpu);
  EXPECT_EQ(use.memory, mebibytes(64));
  EXPECT_EQ(use.window, Seconds{61});
}

TEST(MetricsApiPage, Nodes) {
  Measured measured;
  ASSERT_TRUE(read_node_metrics(page("node-metrics.json"), measured));
  ASSERT_EQ(measured.nodes.size(), 1u);
  EXPECT_EQ(measured.nodes[0].name, "gpu-001");
  EXPECT_DOUBLE_EQ(*measured.nodes[0].use.cpu, 12.5);
}

TEST(MetricsApiPage, OtherDocumentsAreRefused) {
  Measured measured;
  EXPECT_THAT(read_node_metrics(page("pod-metrics.json"), measured).error().message(),
              HasSubstr("a PodMetricsList instead of a NodeMetricsList"));
  EXPECT_FALSE(read_pod_metrics("<html>", measured));
  EXPECT_TRUE(read_pod_metrics(R"({"kind":"PodMetricsList","items":null})", measured).has_value());
}

TEST(MetricsApiPage, IsFoundAmongTheGroups) {
  const std::string groups = R"({"kind":"APIGroupList","groups":[{"name":"apps"},
    {"name":"metrics.k8s.io","preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}}]})";
  EXPECT_EQ(*find_metrics_api(groups), "/apis/metrics.k8s.io/v1beta1");
  EXPECT_EQ(*find_metrics_api(R"({"groups":[{"name":"apps"}]})"), "");
  EXPECT_FALSE(find_metrics_api("no"));
}

TEST(Summary, ContainersAddUpAndStandBeforeTheirGroup) {
  const auto measured = read_stats_summary(page("summary.json"));
  ASSERT_TRUE(measured) << measured.error().message();
  ASSERT_EQ(measured->pods.size(), 2u);
  EXPECT_DOUBLE_EQ(*use_of(*measured, "train-0")->cpu, 2);
  EXPECT_EQ(use_of(*measured, "train-0")->memory, Bytes{1'000'000'000});
  EXPECT_EQ(iso8601(*use_of(*measured, "train-0")->sampled), "2027-01-15T07:59:50Z");
  EXPECT_DOUBLE_EQ(*use_of(*measured, "bare")->cpu, 0.25);
  EXPECT_EQ(measured->pods[0].uid, "uid-0");
  ASSERT_EQ(measured->nodes.size(), 1u);
  EXPECT_DOUBLE_EQ(*measured->nodes[0].use.cpu, 12.5);
  EXPECT_FALSE(read_stats_summary("{}"));
}

// One kubelet that is asked again and again.
class Kubelet {
 public:
  Measured look(const std::string& text, std::int64_t after_seconds = 0) {
    const auto read = read_resource_page(text);
    EXPECT_TRUE(read) << read.error().message();
    return rates_.measure(*read, "gpu-001", (kNow + after_seconds) * 1000,
                          model::UsageView::kKubeletResource);
  }
  // Of one container, at a moment and with a start.
  static std::string line(double cpu_seconds, std::int64_t at, double started) {
    return fmt::format(
        "container_cpu_usage_seconds_total{{container=\"c\",namespace=\"n\",pod=\"p\"}} {} {}\n"
        "container_start_time_seconds{{container=\"c\",namespace=\"n\",pod=\"p\"}} {}\n"
        "container_memory_working_set_bytes{{container=\"c\",namespace=\"n\",pod=\"p\"}} 5\n",
        cpu_seconds, (kNow + at) * 1000, started);
  }
  std::optional<double> cpu(double cpu_seconds, std::int64_t at, double started) {
    return use_of(look(line(cpu_seconds, at, started)), "p")->cpu;
  }

 private:
  CpuRates rates_;
};

constexpr double kStarted = kNow - 100'000;

TEST(CpuRates, NeedTwoLooks) {
  Kubelet kubelet;
  EXPECT_EQ(kubelet.cpu(100, 0, kStarted), std::nullopt);
  EXPECT_DOUBLE_EQ(*kubelet.cpu(130, 15, kStarted), 2);
  // Nothing new was measured.
  EXPECT_DOUBLE_EQ(*kubelet.cpu(130, 15, kStarted), 2);
  EXPECT_DOUBLE_EQ(*kubelet.cpu(130, 30, kStarted), 0);
}

TEST(CpuRates, ARestartIsNeitherNegativeNorTooLow) {
  Kubelet kubelet;
  kubelet.cpu(100, 0, kStarted);
  EXPECT_DOUBLE_EQ(*kubelet.cpu(3, 15, kNow + 12), 1);
  // More than before, so that the difference alone would pass: 4 in 15 s, but it is 7 in 5 s.
  EXPECT_DOUBLE_EQ(*kubelet.cpu(7, 30, kNow + 25), 1.4);
}

TEST(CpuRates, ASmallerNumberWithoutAStartIsNotKnown) {
  Kubelet kubelet;
  kubelet.cpu(100, 0, -6.795e9);
  EXPECT_EQ(kubelet.cpu(3, 15, -6.795e9), std::nullopt);
  EXPECT_DOUBLE_EQ(*kubelet.cpu(18, 30, -6.795e9), 1);
}

TEST(CpuRates, AYoungContainerIsKnownAtOnce) {
  Kubelet kubelet;
  EXPECT_DOUBLE_EQ(*kubelet.cpu(20, 0, kNow - 10), 2);
}

TEST(CpuRates, AContainerOfUnknownRateMakesItsPodUnknown) {
  Kubelet kubelet;
  kubelet.look(page("resource.prom"));
  auto text = page("resource.prom");
  for (std::size_t at = 0; (at = text.find("1800000000000", at)) != std::string::npos; ++at) {
    text.replace(at, 13, "1800000010000");
  }
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("pod=\"train-0\"} 100 ", "pod=\"train-0\"} 125 ");
  replace("pod=\"train-1\"} 50 ", "pod=\"train-1\"} 1 ");
  replace("pod=\"bare\"} 10 ", "pod=\"bare\"} 15 ");
  replace("node_cpu_usage_seconds_total 5000 ", "node_cpu_usage_seconds_total 5125 ");
  const auto measured = kubelet.look(text, 10);
  EXPECT_DOUBLE_EQ(*use_of(measured, "train-0")->cpu, 2.5);  // with one that does nothing
  EXPECT_EQ(use_of(measured, "train-0")->memory, Bytes{1'000'000'000});
  EXPECT_FALSE(use_of(measured, "train-1")->cpu);
  EXPECT_EQ(use_of(measured, "train-1")->memory, Bytes{2'000'000'000});
  EXPECT_DOUBLE_EQ(*use_of(measured, "bare")->cpu, 0.5);
  EXPECT_DOUBLE_EQ(*measured.nodes.at(0).use.cpu, 12.5);
}

TEST(ResourcePage, TheTreeOfGroupsIsNotCountedTwice) {
  const auto read = read_resource_page(page("cadvisor.prom"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->pods.size(), 3u);
  ASSERT_EQ(read->pods[0].containers.size(), 1u);
  EXPECT_DOUBLE_EQ(*read->pods[0].containers[0].counters.cpu_seconds, 100);
  EXPECT_EQ(read->pods[1].name, "from-before-1.16");
  EXPECT_EQ(read->pods[1].containers.at(0).name, "old");
  EXPECT_TRUE(read->pods[2].containers.empty());
  EXPECT_DOUBLE_EQ(*read->pods[2].whole.cpu_seconds, 5);
  EXPECT_DOUBLE_EQ(*read->node.cpu_seconds, 900);
  Kubelet kubelet;
  EXPECT_EQ(use_of(kubelet.look(page("cadvisor.prom")), "train-0")->memory, Bytes{1'000'000'000});
}

TEST(ResourcePage, ImpossibleValuesAreLeftOut) {
  const auto read = read_resource_page(
      "container_start_time_seconds{container=\"c\",namespace=\"n\",pod=\"p\"} -6.795e9\n"
      "container_memory_working_set_bytes{container=\"c\",namespace=\"n\",pod=\"p\"} NaN\n"
      "scrape_error 1\n");
  ASSERT_FALSE(read);
  const auto zero = read_resource_page(
      "container_start_time_seconds{container=\"c\",namespace=\"n\",pod=\"p\"} 0\nscrape_error "
      "1\n");
  ASSERT_TRUE(zero);
  EXPECT_FALSE(zero->pods.at(0).containers.at(0).counters.started);
  EXPECT_TRUE(zero->scrape_failed);
  EXPECT_FALSE(read_resource_page("up 1\n"));
}

}  // namespace
}  // namespace schedlens::kube
