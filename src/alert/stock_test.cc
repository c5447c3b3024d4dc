// SPDX-License-Identifier: Apache-2.0
// The rules that schedlens comes with: they can be read, each is told in full, and each has a test
// in which it fires.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "alert/page.h"
#include "alert/rule_set.h"

namespace schedlens::alert {
namespace {

using testing::IsEmpty;

RuleSet stock() {
  auto set = load_rules(stock_rules());
  EXPECT_TRUE(set.has_value()) << set.error().message();
  return set.value_or(RuleSet{});
}

TEST(Stock, EveryTestOfTheFilesPasses) {
  const auto set = stock();
  EXPECT_GT(set.tests.size(), 20u);
  for (const auto& test : set.tests) EXPECT_THAT(run_test(test, set.rules), IsEmpty());
}

TEST(Stock, EveryRuleFiresInATest) {
  const auto set = stock();
  std::set<std::string> fired;
  for (const auto& test : set.tests) {
    for (const auto& expected : test.expect) {
      for (const auto& alert : expected.firing) fired.insert(alert.name);
    }
  }
  for (const auto& rule : set.rules) {
    EXPECT_TRUE(fired.contains(rule.name)) << rule.name;
    EXPECT_GT(rule.meaning.size(), 20u) << rule.name;
    EXPECT_GT(rule.remedy.size(), 20u) << rule.name;
    EXPECT_TRUE(rule.enabled) << rule.name;
  }
}

TEST(Stock, AnotherThresholdFailsItsTest) {
  auto set = stock();
  for (auto& rule : set.rules) {
    if (rule.name == "NodesDown") rule.when.threshold = 0.5;
  }
  std::size_t problems = 0;
  for (const auto& test : set.tests) problems += run_test(test, set.rules).size();
  EXPECT_GE(problems, 1u);
}

// With SCHEDLENS_UPDATE=1 in the environment the page is written anew.
TEST(Stock, ThePageIsOfTheRules) {
  const std::string path = SCHEDLENS_FIXTURES "/../../docs/alerts.md";
  const auto page = markdown(stock().rules);
  if (std::getenv("SCHEDLENS_UPDATE")) std::ofstream(path) << page;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), page);
}

}  // namespace
}  // namespace schedlens::alert
