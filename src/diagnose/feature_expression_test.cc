// SPDX-License-Identifier: Apache-2.0
#include "diagnose/feature_expression.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"

namespace schedlens::diagnose {
namespace {

std::vector<Symbol> features(std::string_view list) {
  std::vector<Symbol> symbols;
  for (auto name : split(list, ',')) symbols.emplace_back(name);
  return symbols;
}

// Whether a node with the features can serve the expression at all.
bool serves(std::string_view expression, std::string_view node) {
  auto parsed = FeatureExpression::parse(expression);
  EXPECT_TRUE(parsed.understood()) << expression;
  return parsed.matches(features(node)) != 0;
}

TEST(FeatureExpression, EmptyAsksNothing) {
  EXPECT_TRUE(FeatureExpression::parse("").empty());
  EXPECT_TRUE(serves("", ""));
}

TEST(FeatureExpression, AndOr) {
  EXPECT_TRUE(serves("a100&ib", "ib,a100,rack1"));
  EXPECT_FALSE(serves("a100&ib", "a100"));
  EXPECT_TRUE(serves("a100|h100", "h100"));
  EXPECT_FALSE(serves("a100|h100", "v100"));
}

TEST(FeatureExpression, GoesLeftToRightWithoutPrecedence) {
  // (a|b)&c, not a|(b&c).
  EXPECT_FALSE(serves("a|b&c", "a"));
  EXPECT_TRUE(serves("a|b&c", "a,c"));
  EXPECT_TRUE(serves("a&b|c", "c"));
}

TEST(FeatureExpression, Parentheses) {
  EXPECT_TRUE(serves("a|(b&c)", "a"));
  EXPECT_FALSE(serves("(a|b)&(c|d)", "a,b"));
  EXPECT_TRUE(serves("(a|b)&(c|d)", "b,d"));
}

TEST(FeatureExpression, BracketsAreAlternativesForTheWholeJob) {
  auto e = FeatureExpression::parse("ib&[rack1|rack2]");
  ASSERT_TRUE(e.understood());
  EXPECT_EQ(e.alternatives(), 2u);
  EXPECT_EQ(e.matches(features("ib,rack1")), 1u);
  EXPECT_EQ(e.matches(features("ib,rack2")), 2u);
  EXPECT_EQ(e.matches(features("rack2")), 0u);
  EXPECT_EQ(e.matches(features("ib,rack1,rack2")), 3u);
}

TEST(FeatureExpression, CountsNameTheirFeatures) {
  auto e = FeatureExpression::parse("[a*2&b*4]");
  ASSERT_TRUE(e.understood());
  ASSERT_EQ(e.counts().size(), 2u);
  EXPECT_EQ(e.counts()[0].feature.view(), "a");
  EXPECT_EQ(e.counts()[0].nodes, 2u);
  EXPECT_EQ(e.counts()[1].nodes, 4u);
  // Each node need only be one of them.
  EXPECT_NE(e.matches(features("b")), 0u);
  EXPECT_EQ(e.matches(features("c")), 0u);
}

TEST(FeatureExpression, WhatIsNotUnderstoodExcludesNobody) {
  for (const char* text : {"a&", "&a", "(a", "a)", "[a|b", "a b", "a!b", "[a|b]&[c|d]", "[]",
                           "(a&b)*2", "a*x", "a&&b", "a*99999999999"}) {
    auto e = FeatureExpression::parse(text);
    EXPECT_FALSE(e.understood()) << text;
    EXPECT_NE(e.matches(features("z")), 0u) << text;
  }
}

TEST(FeatureExpression, DeepNestingAndLongListsAreSurvived) {
  EXPECT_FALSE(FeatureExpression::parse(std::string(10000, '(')).understood());
  std::string choices = "[a";
  for (int i = 0; i < 100; ++i) choices += "|a" + std::to_string(i);
  EXPECT_FALSE(FeatureExpression::parse(choices + "]").understood());
  std::string chain = "a";
  for (int i = 0; i < 5000; ++i) chain += "&a";
  EXPECT_TRUE(FeatureExpression::parse(chain).understood());
}

}  // namespace
}  // namespace schedlens::diagnose
