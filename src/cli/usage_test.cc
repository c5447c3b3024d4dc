// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "diagnose/test_usage.h"

namespace schedlens::cli {
namespace {

using diagnose::testing::Measured;
using diagnose::testing::sample_usage;
using testing::HasSubstr;

// The expected screen; SCHEDLENS_UPDATE=1 in the environment writes it instead.
std::string golden(const std::string& name, const std::string& actual) {
  const auto path = std::string(SCHEDLENS_FIXTURES) + "/faces/" + name;
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << actual;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string screen(Measured& c, api::UsageBy by) {
  const auto report = c.report();
  const auto chosen = api::choose_usage(c.s, report, {by});
  return chosen ? render_usage(c.s, report, *chosen, {}) : chosen.error().message();
}

TEST(UsageScreen, OwnersAndNodes) {
  auto c = sample_usage();
  const auto owners = screen(c, api::UsageBy::kOwner), nodes = screen(c, api::UsageBy::kNode);
  EXPECT_EQ(owners, golden("usage_owners.txt", owners));
  EXPECT_EQ(nodes, golden("usage_nodes.txt", nodes));
}

TEST(UsageScreen, SaysWhyNothingIsKnown) {
  Measured c;
  c.pod("train", 4, 2);
  c.usage.no_metrics_api = true;
  EXPECT_THAT(screen(c, api::UsageBy::kPod), HasSubstr("the cluster has no Metrics API"));
}

TEST(UsageScreen, APodAndANodeSayWhatTheyUse) {
  auto c = sample_usage();
  c.report();
  const auto pod = pod_use_facts(c.s, {2});
  ASSERT_EQ(pod.size(), 3u);
  EXPECT_EQ(pod[0].second,
            "1.00 CPUs of 2.00 requested, memory 1 GiB of 2 GiB requested, 10s ago, "
            "from the Metrics API");
  EXPECT_EQ(pod[1].second, "6: busy 50%, memory 10 GiB of 100 GiB, shared by 2 pods, 10s ago");
  EXPECT_EQ(pod[2].second, "8 instance 7 (1g.10gb): busy 30%, memory 10 GiB of 100 GiB, 10s ago");
  const auto node = node_use_facts(c.s, {0});
  EXPECT_EQ(node.at(0).second,
            "7.50 CPUs, memory 20 GiB; mean over 15s, 12s ago, from the "
            "Metrics API");
}

}  // namespace
}  // namespace schedlens::cli
