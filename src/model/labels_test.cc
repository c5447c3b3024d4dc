// SPDX-License-Identifier: Apache-2.0
#include "model/labels.h"

#include <gtest/gtest.h>

#include "model/pod.h"

namespace schedlens::model {
namespace {

Labels labels(std::vector<std::pair<const char*, const char*>> pairs) {
  std::vector<Label> made;
  for (const auto& [key, value] : pairs) made.push_back({Symbol(key), value});
  return Labels(std::move(made));
}

LabelExpression expression(const char* key, LabelOperator op,
                           std::vector<std::string> values = {}) {
  return {Symbol(key), op, std::move(values)};
}

TEST(Labels, FindsByKeyAndTakesTheLastOfEqualKeys) {
  const auto l = labels({{"zone", "a"}, {"app", "x"}, {"zone", "b"}, {"empty", ""}});
  ASSERT_EQ(l.items().size(), 3u);
  EXPECT_EQ(*l.find(Symbol("zone")), "b");
  EXPECT_EQ(*l.find(Symbol("empty")), "");
  EXPECT_EQ(l.find(Symbol("none")), nullptr);
}

TEST(LabelExpression, FollowsTheRulesOfTheApi) {
  const std::string a = "a", seven = "7", minus = "-1", words = "7b";
  const auto in = expression("k", LabelOperator::kIn, {"a", "b"});
  EXPECT_TRUE(matches(in, &a));
  EXPECT_FALSE(matches(in, &seven));
  EXPECT_FALSE(matches(in, nullptr));
  const auto not_in = expression("k", LabelOperator::kNotIn, {"a"});
  EXPECT_FALSE(matches(not_in, &a));
  EXPECT_TRUE(matches(not_in, &seven));
  EXPECT_TRUE(matches(not_in, nullptr));
  EXPECT_TRUE(matches(expression("k", LabelOperator::kExists), &a));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kExists), nullptr));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kDoesNotExist), &a));
  EXPECT_TRUE(matches(expression("k", LabelOperator::kDoesNotExist), nullptr));
  EXPECT_TRUE(matches(expression("k", LabelOperator::kGt, {"6"}), &seven));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kGt, {"7"}), &seven));
  EXPECT_TRUE(matches(expression("k", LabelOperator::kLt, {"0"}), &minus));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kLt, {"100"}), &words));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kLt, {"x"}), &seven));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kGt, {"1"}), nullptr));
  EXPECT_FALSE(matches(expression("k", LabelOperator::kUnknown), &a));
}

TEST(LabelSelector, AllMustHoldAndNoneSelectsEverything) {
  const auto l = labels({{"app", "x"}, {"tier", "web"}});
  EXPECT_TRUE(LabelSelector{}.selects(l));
  const LabelSelector both{{expression("app", LabelOperator::kIn, {"x"}),
                            expression("tier", LabelOperator::kNotIn, {"db"})}};
  EXPECT_TRUE(both.selects(l));
  EXPECT_FALSE(both.selects(labels({{"app", "y"}})));
  EXPECT_EQ(to_text(both), "app=x, tier!=db");
  EXPECT_EQ(to_text(LabelSelector{}), "everything");
}

TEST(NodeSelectorTerm, WithoutExpressionsSelectsNothing) {
  EXPECT_FALSE(NodeSelectorTerm{}.selects(labels({}), "n1"));
  const NodeSelectorTerm term{{expression("zone", LabelOperator::kIn, {"a"})},
                              {expression("metadata.name", LabelOperator::kIn, {"n1"})}};
  EXPECT_TRUE(term.selects(labels({{"zone", "a"}}), "n1"));
  EXPECT_FALSE(term.selects(labels({{"zone", "a"}}), "n2"));
  EXPECT_FALSE(term.selects(labels({{"zone", "b"}}), "n1"));
}

TEST(Toleration, MatchesByEffectKeyAndValue) {
  const Taint taint{Symbol("team"), "a", TaintEffect::kNoSchedule, {}};
  EXPECT_EQ(to_text(taint), "team=a:NoSchedule");
  Toleration t{Symbol("team"), TolerationOperator::kEqual, "a", TaintEffect::kNone};
  EXPECT_TRUE(tolerates(t, taint));
  t.value = "b";
  EXPECT_FALSE(tolerates(t, taint));
  t.op = TolerationOperator::kExists;
  EXPECT_TRUE(tolerates(t, taint));
  t.effect = TaintEffect::kNoExecute;
  EXPECT_FALSE(tolerates(t, taint));
  EXPECT_TRUE(
      tolerates(Toleration{{}, TolerationOperator::kExists, "", TaintEffect::kNone}, taint));
  const Taint number{Symbol("sla"), "5", TaintEffect::kNoExecute, {}};
  EXPECT_TRUE(tolerates(Toleration{Symbol("sla"), TolerationOperator::kGt, "4", {}}, number));
  EXPECT_FALSE(tolerates(Toleration{Symbol("sla"), TolerationOperator::kGt, "x", {}}, number));
}

}  // namespace
}  // namespace schedlens::model
