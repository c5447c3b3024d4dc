// SPDX-License-Identifier: Apache-2.0
// Files that an operator writes: what they may change, and what they are told when one is wrong.
#include "alert/rule_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "alert/page.h"
#include "alert/promql.h"
#include "alert/rules_test.h"
#include "base/text.h"

namespace schedlens::alert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kGood = R"(rules:
  - name: NodesHot
    severity: warning
    layer: node
    summary: "{value} hot in {partition}"
    meaning: m
    remedy: r
    value:
      metric: heat
      labels: {state: "hot|warm*", kind: "!cpu"}
      per: {metric: all, whole: true}
    above: 15%
    clear: 0.1
    for: 1h30m
    by: [partition]
    unit: percent
)";

std::string error_of(const std::string& yaml, const std::vector<KnownMetric>& metrics = {}) {
  auto set = load_rules({{"a.yaml", kGood}, {"b.yaml", yaml}}, metrics);
  return set ? "" : set.error().message();
}

TEST(RuleSet, ReadsARule) {
  auto set = load_rules({{"a.yaml", kGood}});
  ASSERT_TRUE(set.has_value()) << set.error().message();
  ASSERT_EQ(set->rules.size(), 1u);
  const auto& rule = set->rules[0];
  EXPECT_EQ(rule.when.threshold, 0.15);
  EXPECT_EQ(rule.for_time, Seconds{5400});
  EXPECT_EQ(rule.place.line, 2);
  EXPECT_EQ(when_text(rule), "above 15 % for 1h30m, until down to 10 %, by partition");
  EXPECT_THAT(rule_promql(rule),
              HasSubstr(R"(sum by (partition) (heat{state=~"hot|warm.*",kind!="cpu"}) / on() )"
                        R"(group_left() (sum (all) != 0) > 0.15)"));
}

TEST(RuleSet, AnotherFileOverridesSwitchesOffAndAdds) {
  auto set = load_rules({{"a.yaml", kGood},
                         {"b.yaml",
                          "override:\n  NodesHot: {above: 0.3, severity: critical}\n"
                          "rules:\n  - {name: New, severity: warning, layer: job, summary: s, "
                          "meaning: m, remedy: r, value: {metric: x}, below: 1}\n"
                          "disable: [New]\n"}});
  ASSERT_TRUE(set.has_value()) << set.error().message();
  EXPECT_EQ(set->rules[0].when.threshold, 0.3);
  EXPECT_EQ(set->rules[0].severity, Severity::kCritical);
  EXPECT_EQ(set->rules[0].clear, 0.1);
  EXPECT_FALSE(set->find("New")->enabled);
}

TEST(RuleSet, ErrorsNameFileLineRuleAndField) {
  EXPECT_EQ(error_of("rules:\n  - name: X\n    abov: 3\n"),
            "b.yaml:3: rule X: unknown key 'abov' in a rule, did you mean 'above'?\n"
            "b.yaml:2: rule X: the field 'severity' is missing\n"
            "b.yaml:2: rule X: the field 'layer' is missing\n"
            "b.yaml:2: rule X: the field 'summary' is missing\n"
            "b.yaml:2: rule X: the field 'meaning' is missing\n"
            "b.yaml:2: rule X: the field 'remedy' is missing\n"
            "b.yaml:2: rule X: the field 'value' is missing\n"
            "b.yaml:2: rule X: one of the fields above, below, equals and baseline is wanted");
  EXPECT_THAT(error_of(kGood),
              HasSubstr("b.yaml:2: rule NodesHot: there is one of this name already, "
                        "a.yaml:2; to change it, write what differs under 'override'"));
  EXPECT_EQ(error_of("override:\n  NodesHott: {above: 1}"),
            "b.yaml:2: no rule is called NodesHott, did you mean NodesHot?");
  EXPECT_EQ(error_of("disable: [Nothing]"), "b.yaml:1: no rule is called Nothing");
  EXPECT_EQ(
      error_of("override:\n\n  NodesHot:\n    above: lots\n"),
      "b.yaml:4: override of NodesHot: above: 'lots' is no number, share (15%) or duration (10m)");
  EXPECT_EQ(
      error_of("override:\n  NodesHot: {clear: 40%}\n"),
      "b.yaml:2: rule NodesHot: clear: 0.4 lies on the wrong side of 0.15, so that it would end "
      "before it begins");
  EXPECT_EQ(
      error_of("override:\n  NodesHot: {for: soon}\n"),
      "b.yaml:2: override of NodesHot: for: 'soon' is no duration, such as 30s, 5m, 2h or 1d");
  EXPECT_EQ(
      error_of("override:\n  NodesHot: {summary: '{node} is hot'}\n"),
      "b.yaml:2: rule NodesHot: summary: nothing fills {node}: there are {value}, {names}, {count} "
      "and the labels of 'by'");
  EXPECT_THAT(error_of("rules: [\n"), HasSubstr("b.yaml:2: "));
  EXPECT_THAT(error_of("just text"), HasSubstr("b.yaml:1: a rule file must hold keys"));
  EXPECT_EQ(error_of("override:\n  NodesHot: {severity: fatal, severity: warning}\n"),
            "b.yaml:2: override of NodesHot: severity: it is critical or warning\n"
            "b.yaml:2: override of NodesHot: key 'severity' is given twice");
  EXPECT_EQ(error_of("override:\n  NodesHot: {inhibits: [controller]}\n"),
            "b.yaml:2: rule NodesHot: inhibits: layer controller is not below its own, node");
  EXPECT_EQ(error_of("override:\n  NodesHot: {value: {metric: x, rate: 5m, changes: 5m}}\n"),
            "b.yaml:2: override of NodesHot: changes: only one of age, rate, increase and changes");
}

TEST(RuleSet, MetricsAndLabelsThatDoNotExistAreFound) {
  const std::vector<KnownMetric> known = {{"heat", {"partition", "state", "kind"}, false},
                                          {"all", {}, false},
                                          {"took_seconds", {"node"}, true}};
  EXPECT_EQ(error_of("", known), "");
  EXPECT_EQ(error_of("override:\n  NodesHot: {value: {metric: heaat}}\n", known),
            "b.yaml:2: rule NodesHot: value: no metric is called 'heaat', did you mean 'heat'?");
  EXPECT_EQ(
      error_of("override:\n  NodesHot: {by: [rack], summary: s}\n", known),
      "b.yaml:2: rule NodesHot: by, for value: heat has no label 'rack'; it has: partition, state, "
      "kind");
  EXPECT_THAT(
      error_of("override:\n  NodesHot: {value: {metric: took_seconds}, by: [], summary: s}\n",
               known),
      HasSubstr("took_seconds is a histogram: take a quantile of it, or its _sum or _count"));
  EXPECT_EQ(
      error_of(
          "override:\n  NodesHot: {value: {metric: took_seconds, quantile: 0.9, rate: 5m}, by: "
          "[node], summary: s}\n",
          known),
      "");
}

TEST(RuleSet, ABaselineIsOfASeriesThatIsWatched) {
  const std::vector<KnownMetric> known = {{"heat", {"partition", "state", "kind"}, false},
                                          {"all", {}, false},
                                          {"warmth", {"partition"}, false, true}};
  const std::string rule =
      "rules: [{name: X, severity: warning, layer: job, summary: s, meaning: m, remedy: r, by: "
      "[partition], ";
  EXPECT_EQ(error_of(rule + "value: {metric: warmth}, baseline: high}]", known), "");
  EXPECT_EQ(error_of(rule + "value: {metric: heat}, baseline: high}]", known),
            "b.yaml:1: rule X: value: what is usual is not known of 'heat', but of: warmth");
  EXPECT_THAT(error_of(rule + "value: {metric: warmth}, above: 3}]", known),
              HasSubstr("no metric is called 'warmth'"));
}

TEST(RuleSet, ATestThatFailsSaysWhatFiredInstead) {
  auto set = load_rules({{"a.yaml", kGood + R"(
tests:
  - name: too early
    series:
      heat{partition="a",state="hot"}: 4x200
      all: 20x200
    expect:
      - {at: 89m, firing: []}
      - {at: 90m, firing: []}
      - {at: 91m, firing: ['NodesHot{partition="a"}']}
)"}});
  ASSERT_TRUE(set.has_value()) << set.error().message();
  EXPECT_THAT(run_test(set->tests.at(0), set->rules),
              ElementsAre("a.yaml:25: test 'too early': at 1h30m what fires is "
                          "NodesHot{partition=\"a\"}, expected nothing"));
}

TEST(RuleSet, WrongTestsAreErrorsToo) {
  EXPECT_EQ(
      error_of(
          "tests:\n  - name: t\n    series: {x: 1y3}\n    expect: [{at: 1m, firing: [Nohow]}]\n"),
      "b.yaml:3: test 't': series: '1y3' is no value, such as 3, 3x4, 1+2x3, _ or stale\n"
      "b.yaml:2: test 't': no rule is called Nohow");
  EXPECT_EQ(error_of("tests:\n  - name: t\n    series: {x: 1}\n"),
            "b.yaml:2: test 't': it expects nothing: 'expect' is missing");
}

TEST(RuleSet, ASecondDocumentIsNotLeftOutInSilence) {
  EXPECT_EQ(error_of("# ours\n---\ndisable: []\n"), "");
  EXPECT_EQ(
      error_of("disable: []\n---\nrules: []\n"),
      "b.yaml:2: a second document begins, which would not be read; put it into a file of its own");
}

// Whatever stands in a file, it is read or refused; nothing is thrown.
TEST(RuleSet, BrokenFilesAreErrors) {
  std::minstd_rand random(7);
  int refused = 0, rounds = 0;
  for (const auto& file : stock_rules()) {
    for (int i = 0; i < 60; ++i, ++rounds) {
      auto text = file.yaml;
      for (int change = 0; change < 3; ++change) {
        static constexpr std::string_view kBytes = "{}[]:,-'\"#&*!|>%@`\n\t x0~?";
        text[random() % text.size()] = kBytes[random() % kBytes.size()];
      }
      if (i % 3 == 0) text.resize(random() % text.size());
      auto set = load_rules({{"a.yaml", text}});
      if (!set) ++refused;
      if (set) {
        (void)prometheus_rules(set->rules);
        (void)markdown(set->rules);
      }
    }
  }
  EXPECT_GT(refused, rounds / 3);
  EXPECT_LT(refused, rounds);
}

TEST(RuleSet, ValuesAreWrittenAsPromtoolDoes) {
  using Values = std::vector<std::optional<double>>;
  EXPECT_EQ(parse_values("3 3x2 1+2x2 9-4x1 _x2 stale 1e-3").value(),
            (Values{3, 3, 3, 3, 1, 3, 5, 9, 5, {}, {}, {}, 0.001}));
  EXPECT_FALSE(parse_values("1x").has_value());
  EXPECT_FALSE(parse_values("1x999999999").has_value());
}

TEST(RuleSet, TheDirectoryIsReadInOrderOfNames) {
  const auto directory =
      std::filesystem::temp_directory_path() / fmt::format("alerts_{}", getpid());
  std::filesystem::create_directory(directory);
  std::ofstream(directory / "20.yaml") << "override: {NodesDown: {above: 0.2}}\n";
  std::ofstream(directory / "30.yml") << "override: {NodesDown: {above: 0.3}}\n";
  std::ofstream(directory / "10.yaml") << "override: {NodesDown: {above: 0.11}}\n";
  std::ofstream(directory / "notes.txt") << "no rules\n";
  auto files = with_directory(directory.string());
  ASSERT_TRUE(files.has_value()) << files.error().message();
  EXPECT_EQ(files->size(), stock_rules().size() + 3);
  auto set = load_rules(*files);
  std::filesystem::remove_all(directory);
  ASSERT_TRUE(set.has_value()) << set.error().message();
  EXPECT_EQ(set->find("NodesDown")->when.threshold, 0.3);
  EXPECT_THAT(with_directory(directory.string()).error().message(), HasSubstr(directory.string()));
}

}  // namespace
}  // namespace schedlens::alert
