// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/config_keys.h"

namespace schedlens::cli {
namespace {

using testing::HasSubstr;

Config good(std::string_view yaml) {
  auto config = parse_config(yaml, "c.yaml");
  if (!config) throw std::runtime_error(config.error().message());
  return *config;
}

std::string error(std::string_view yaml) {
  auto config = parse_config(yaml, "c.yaml");
  return config ? "no error" : config.error().message();
}

TEST(Config, AnEmptyFileIsTheDefaults) {
  for (auto text : {"", "# nothing\n", "---\n", "slurm:\n", "{}"}) {
    auto c = good(text);
    EXPECT_EQ(c.listen, (Endpoint{"127.0.0.1", 9817})) << text;
    EXPECT_EQ(c.slurm_interval, (Seconds{30}));
    EXPECT_EQ(c.slurm_slow_interval, (Seconds{300}));
    EXPECT_EQ(c.metrics_max_series, std::nullopt);
    EXPECT_EQ(c.log_level, log::Level::kInfo);
  }
}

TEST(Config, GpuResources) {
  const auto c = good("kubernetes: {gpu_resources: 'example.com/gpu=whole, a.b/part-*=slice'}");
  ASSERT_EQ(c.kube_gpus.size(), 2u);
  EXPECT_EQ(c.kube_gpus[1].resource, "a.b/part-*");
  EXPECT_EQ(c.kube_gpus[1].kind, kube::GpuKind::kSlice);
  EXPECT_THAT(error("kubernetes:\n  gpu_resources: example.com/gpu=half\n"),
              HasSubstr("c.yaml:2:18: key 'kubernetes.gpu_resources': 'half' is none of whole"));
}

TEST(Config, EveryDefaultIsValid) {
  for (const auto& key : config_keys()) {
    if (key.default_text.empty()) continue;
    Config config;
    EXPECT_TRUE(set_config_key(key, config, key.default_text)) << key.path;
  }
}

TEST(Config, ReadsEveryKey) {
  auto c = good(
      "listen: '[::1]:8080'\n"
      "log_level: debug\n"
      "slurm:\n"
      "  slurm_conf: /etc/slurm/other.conf\n"
      "  bin_dir: /opt/slurm/bin\n"
      "  interval: 10s\n"
      "  slow_interval: 1h\n"
      "  timeout: 2m\n"
      "metrics:\n"
      "  max_series_per_family: 500\n"
      "  node_info: true\n");
  EXPECT_EQ(c.listen, (Endpoint{"::1", 8080}));
  EXPECT_EQ(c.log_level, log::Level::kDebug);
  EXPECT_EQ(c.slurm_conf, "/etc/slurm/other.conf");
  EXPECT_EQ(c.slurm_bin_dir, "/opt/slurm/bin");
  EXPECT_EQ(c.slurm_interval, (Seconds{10}));
  EXPECT_EQ(c.slurm_slow_interval, (Seconds{3600}));
  EXPECT_EQ(c.slurm_timeout, (Seconds{120}));
  EXPECT_EQ(c.metrics_max_series, 500u);
  EXPECT_TRUE(c.metrics_node_info);
}

TEST(Config, UnknownKeysNameThePlaceAndTheNearest) {
  EXPECT_EQ(error("slurm:\n  intervall: 30s\n"),
            "c.yaml:2:3: unknown key 'intervall' in 'slurm', did you mean 'interval'?");
  EXPECT_EQ(error("slrum:\n  interval: 30s\n"),
            "c.yaml:1:1: unknown key 'slrum', did you mean 'slurm'?");
  EXPECT_EQ(error("# a\nlog_level: info\n  \nbananas: 1\n"), "c.yaml:4:1: unknown key 'bananas'");
  EXPECT_EQ(error("interval: 30s\n"),
            "c.yaml:1:1: unknown key 'interval'; there is 'slurm.interval'");
  EXPECT_EQ(error("slurm:\n  log_level: info\n"),
            "c.yaml:2:3: unknown key 'log_level' in 'slurm'; 'log_level' stands at the top");
}

TEST(Config, KindsOfObjectsToShowAreNamed) {
  EXPECT_FALSE(good("").kube_state.any());
  const auto c = good(
      "metrics:\n"
      "  kube_state: pods, nodes\n"
      "  kube_state_labels: pods=[app,team]\n"
      "  kube_state_without: kube_pod_info,^kube_node_.*_created$|^kube_node_created$\n");
  EXPECT_TRUE(c.kube_state.wants(model::StateKind::kPods));
  EXPECT_FALSE(c.kube_state.wants(model::StateKind::kJobs));
  EXPECT_TRUE(c.kube_state.labels(model::StateKind::kPods).allows("team"));
  EXPECT_THAT(c.kube_state_left_out, testing::ElementsAre("kube_pod_info", "kube_node_created"));
  EXPECT_EQ(error("metrics:\n  kube_state: pods,node\n"),
            "c.yaml:2:15: key 'metrics.kube_state': 'node' is no kind of object that can be shown, "
            "did you mean 'nodes'?");
  EXPECT_THAT(
      error("metrics:\n  kube_state_labels: pods\n"),
      HasSubstr("c.yaml:2:22: key 'metrics.kube_state_labels': 'pods' is no list of labels"));
  EXPECT_THAT(error("metrics:\n  kube_state_without: kube_none\n"),
              HasSubstr("key 'metrics.kube_state_without': no metric fits 'kube_none'"));
}

TEST(Config, DuplicatesAreRefused) {
  EXPECT_EQ(error("slurm:\n  timeout: 3s\n  interval: 30s\n  timeout: 5s\n"),
            "c.yaml:4:3: key 'timeout' is given twice");
  EXPECT_EQ(error("slurm: {}\nslurm: {}\n"), "c.yaml:2:1: key 'slurm' is given twice");
}

TEST(Config, WrongTypesAndRangesAreRefused) {
  EXPECT_EQ(error("slurm:\n  interval: 30\n"),
            "c.yaml:2:13: key 'slurm.interval': '30' is no duration, such as 30s, 5m, 2h or 1d");
  EXPECT_EQ(error("slurm:\n  interval: 0s\n"),
            "c.yaml:2:13: key 'slurm.interval': '0s' is not between 1s and 1h0m");
  EXPECT_THAT(error("slurm:\n  timeout: 99999999999999d\n"), HasSubstr("is no duration"));
  EXPECT_EQ(error("slurm:\n  interval: [30s]\n"),
            "c.yaml:2:13: key 'slurm.interval' takes one value (duration, 1s to 1h0m)");
  EXPECT_EQ(error("slurm:\n  interval:\n  timeout: 3s\n"),
            "c.yaml:2:3: key 'slurm.interval' has no value");
  EXPECT_EQ(error("slurm: 5\n"), "c.yaml:1:8: 'slurm' holds keys of its own, not a value");
  EXPECT_EQ(error("metrics:\n  max_series_per_family: many\n"),
            "c.yaml:2:26: key 'metrics.max_series_per_family': 'many' is no whole number");
  EXPECT_EQ(error("metrics:\n  max_series_per_family: -1\n"),
            "c.yaml:2:26: key 'metrics.max_series_per_family': -1 is not between 1 and 10000000");
  EXPECT_EQ(error("metrics:\n  node_info: maybe\n"),
            "c.yaml:2:14: key 'metrics.node_info': 'maybe' is neither true nor false");
  EXPECT_THAT(error("log_level: loud\n"), HasSubstr("c.yaml:1:12: key 'log_level': "));
  EXPECT_THAT(error("listen: 9817\n"), HasSubstr("c.yaml:1:9: key 'listen': '9817' is no address"));
}

TEST(Config, SeveralErrorsAreAllSaid) {
  EXPECT_EQ(error("bananas: 1\nslurm:\n  timeout: x\n"),
            "c.yaml:1:1: unknown key 'bananas'\n"
            "c.yaml:3:12: key 'slurm.timeout': 'x' is no duration, such as 30s, 5m, 2h or 1d");
}

TEST(Config, WhatIsNotYamlHasAPlaceToo) {
  EXPECT_THAT(error("slurm:\n  interval: \"30s\n"), HasSubstr("c.yaml:"));
  EXPECT_THAT(error("a: b: c\n"), HasSubstr("c.yaml:1:5: "));
  EXPECT_THAT(error("slurm:\n\tinterval: 30s\n"), HasSubstr("c.yaml:2:"));
  EXPECT_EQ(error("- a\n- b\n"), "c.yaml:1:1: the file must hold keys with values");
  // The library finds documents without end in it.
  EXPECT_THAT(error("{log_level: info},\n"), HasSubstr("c.yaml:1:18: there is more than one"));
  EXPECT_THAT(error("log_level: info\n---\nlog_level: debug\n"),
              HasSubstr("more than one document"));
}

TEST(Config, AMissingFileIsNamed) {
  auto config = load_config("/nonexistent/schedlens.yaml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message(), "/nonexistent/schedlens.yaml: No such file or directory");
  EXPECT_EQ(load_config("/").error().message(), "/: Is a directory");
  EXPECT_EQ(load_config("/dev/null").value(), good(""));
}

TEST(Config, Endpoints) {
  EXPECT_EQ(*parse_endpoint("login1:80"), (Endpoint{"login1", 80}));
  EXPECT_EQ(*parse_endpoint("[fe80::1]:80"), (Endpoint{"fe80::1", 80}));
  EXPECT_EQ(*parse_endpoint("0.0.0.0:0"), (Endpoint{"0.0.0.0", 0}));
  for (auto bad : {"", "9817", ":9817", "host:", "host:99999", "host:-1", "::1:80", "[]:80",
                   "a b:80", "http://x:80"}) {
    EXPECT_FALSE(parse_endpoint(bad)) << bad;
  }
}

TEST(Config, Durations) {
  EXPECT_EQ(*parse_duration("90s"), (Seconds{90}));
  EXPECT_EQ(*parse_duration("5m"), (Seconds{300}));
  EXPECT_EQ(*parse_duration("2h"), (Seconds{7200}));
  EXPECT_EQ(*parse_duration("1d"), (Seconds{86400}));
  for (auto bad : {"", "s", "30", "-5s", "1.5h", "5 m", "5min"}) EXPECT_FALSE(parse_duration(bad));
}

TEST(Config, ThePageAndTheHelpHaveEveryKey) {
  auto help = config_help();
  for (const auto& key : config_keys()) EXPECT_THAT(help, HasSubstr(std::string(key.path) + "\n"));
  auto path = std::string(SCHEDLENS_FIXTURES) + "/../../docs/configuration.md";
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << config_markdown();
  std::ostringstream page;
  page << std::ifstream(path).rdbuf();
  EXPECT_EQ(page.str(), config_markdown());
}

TEST(Config, ThePagesExampleIsAValidFileOfDefaults) {
  auto page = config_markdown();
  auto begin = page.find("```yaml\n") + 8;
  EXPECT_EQ(good(page.substr(begin, page.rfind("```") - begin)), good(""));
}

}  // namespace
}  // namespace schedlens::cli
