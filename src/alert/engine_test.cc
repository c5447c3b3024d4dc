// SPDX-License-Identifier: Apache-2.0
// What an operator is told, and above all what not.
#include "alert/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/rules_test.h"

namespace schedlens::alert {
namespace {

using test::at;
using test::restarted;
using test::rules;
using test::told;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const std::string kHigh = "name: High, value: {metric: m}, above: 10";

TEST(Engine, AValueThatChangesIsOneAlert) {
  Engine engine(rules({kHigh + ", summary: 'it is {value}'"}));
  for (int minute = 0; minute < 5; ++minute) {
    engine.evaluate(at(minute, {"m " + std::to_string(93 + minute)}));
    ASSERT_THAT(told(engine), ElementsAre("High firing"));
    const auto& alert = *engine.alerts()[0];
    EXPECT_EQ(alert.firing_since, at(0, {}).time);
    EXPECT_EQ(alert.summary, "it is " + std::to_string(93 + minute));
    EXPECT_EQ(alert.labels,
              (Labels{{"alertname", "High"}, {"severity", "critical"}, {"layer", "node"}}));
  }
}

TEST(Engine, FiresOnlyWhenItHasHeldThroughout) {
  Engine engine(rules({kHigh + ", for: 3m"}));
  const std::vector<std::pair<int, std::vector<std::string>>> steps = {
      {11, {"High pending"}}, {11, {"High pending"}}, {10, {}},
      {11, {"High pending"}}, {12, {"High pending"}}, {13, {"High pending"}},
      {14, {"High firing"}},  {9, {"High ended"}}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    engine.evaluate(at(static_cast<int>(i), {"m " + std::to_string(steps[i].first)}));
    EXPECT_EQ(told(engine), steps[i].second) << i;
  }
}

TEST(Engine, TwoThresholdsAndKeepFiring) {
  Engine engine(rules({kHigh + ", clear: 5, keep_firing_for: 2m"}));
  const std::vector<std::pair<int, std::string>> steps = {
      {11, "High firing"}, {6, "High firing"}, {5, "High firing"}, {5, "High firing"},
      {6, "High firing"},  {5, "High firing"}, {5, "High firing"}, {5, "High ended"}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    engine.evaluate(at(static_cast<int>(i), {"m " + std::to_string(steps[i].first)}));
    EXPECT_THAT(told(engine), ElementsAre(steps[i].second)) << i;
  }
}

TEST(Engine, ARestartDoesNotBreakTheTimeARuleHasHeld) {
  Engine first(rules({kHigh + ", for: 30m"}));
  for (int minute = 0; minute <= 20; ++minute) first.evaluate(at(minute, {"m 11"}));
  auto engine = restarted(first);
  engine.evaluate(at(29, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High pending"));
  engine.evaluate(at(30, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
}

TEST(Engine, APauseOfMoreThanAnHourDoes) {
  Engine first(rules({kHigh + ", for: 30m"}));
  first.evaluate(at(0, {"m 11"}));
  auto engine = restarted(first);
  engine.evaluate(at(61, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High pending"));
  engine.evaluate(at(90, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High pending"));
  engine.evaluate(at(91, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
}

TEST(Engine, KeepFiringSurvivesARestart) {
  Engine first(rules({kHigh + ", keep_firing_for: 10m"}));
  first.evaluate(at(0, {"m 11"}));
  first.evaluate(at(1, {"m 1"}));
  auto engine = restarted(first);
  engine.evaluate(at(10, {"m 1"}));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
  engine.evaluate(at(11, {"m 1"}));
  EXPECT_THAT(told(engine), ElementsAre("High ended"));
}

TEST(Engine, OldDataNeitherFireNorEndAnything) {
  Engine engine(rules({kHigh + ", for: 2m, sources: ['a*', other]",
                       "name: Low, value: {metric: m}, below: 5, sources: [a]"}));
  const std::string fresh = R"(schedlens_source_state{source="a",state="fresh"} 1)";
  const std::string stale = R"(schedlens_source_state{source="a",state="stale"} 1)";
  const std::string age = R"(schedlens_source_age_seconds{source="a"} 180)";
  engine.evaluate(at(0, {"m 11", fresh}));
  engine.evaluate(at(1, {"m 11", stale, age}));
  engine.evaluate(at(2, {"m 11", stale, age}));
  ASSERT_THAT(told(engine), ElementsAre("High pending"));
  EXPECT_EQ(engine.alerts()[0]->unknown_since, at(-2, {}).time);
  engine.evaluate(at(3, {"m 11", fresh}));
  ASSERT_THAT(told(engine), ElementsAre("High firing"));
  EXPECT_EQ(engine.alerts()[0]->unknown_since, std::nullopt);

  engine.evaluate(at(4, {"m 0", stale, age}));  // neither does High end nor Low begin
  ASSERT_THAT(told(engine), ElementsAre("High firing"));
  const auto texts = annotations(*engine.alerts()[0]);
  EXPECT_EQ(texts.at("unknown_since"), "2023-11-14T22:14:20Z");
  EXPECT_EQ(texts.at("unknown_why"), "a was last read 3m0s ago");
  engine.evaluate(at(5, {"m 0", fresh}));
  EXPECT_THAT(told(engine), UnorderedElementsAre("High ended", "Low firing"));
}

TEST(Engine, OneOfSeveralSourcesOfAKindIsEnough) {
  Engine engine(rules({kHigh + ", sources: ['etcd*']"}));
  engine.evaluate(at(0, {"m 11", R"(schedlens_source_state{source="etcd a",state="failed"} 1)",
                         R"(schedlens_source_state{source="etcd b",state="partial"} 1)"}));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
}

TEST(Engine, WhatIsGoneHasNotRecovered) {
  Engine engine(rules({kHigh + ", by: [node]",
                       "name: Bad, value: {metric: b}, above: 0, by: [node], absent: zero"}));
  engine.evaluate(at(0, {R"(m{node="n1"} 11)", R"(b{node="n1"} 1)"}));
  engine.evaluate(at(1, {}));
  ASSERT_THAT(told(engine),
              UnorderedElementsAre(R"(High{node="n1"} firing)", R"(Bad{node="n1"} ended)"));
  EXPECT_EQ(engine.alerts()[0]->unknown_why, "its series are gone");
  EXPECT_EQ(engine.alerts()[1]->ending, Ending::kResolved);
  engine.evaluate(at(14, {}));
  EXPECT_EQ(told(engine)[0], R"(High{node="n1"} firing)");
  engine.evaluate(at(15, {}));
  ASSERT_EQ(engine.alerts()[1]->rule, "High");
  EXPECT_EQ(engine.alerts()[1]->ending, Ending::kGone);
  EXPECT_EQ(annotations(*engine.alerts()[1]).at("ended"), "gone");
}

TEST(Engine, FiveHundredNodesAreOneAlertWithTenNames) {
  Engine engine(
      rules({"name: Down, value: {metric: down}, above: 0, by: [rack], names: {label: node}, "
             "summary: '{count} nodes of {rack}: {names}'"}));
  std::vector<std::string> lines = {R"(down{node="ok",rack="r1"} 0)",
                                    R"(down{node="x",rack="r2"} 1)"};
  for (int i = 100; i < 600; ++i)
    lines.push_back(fmt::format(R"(down{{node="n{}",rack="r1"}} 1)", i));
  engine.evaluate(at(0, lines));
  ASSERT_THAT(told(engine), ElementsAre(R"(Down{rack="r1"} firing)", R"(Down{rack="r2"} firing)"));
  EXPECT_EQ(
      engine.alerts()[0]->summary,
      "500 nodes of r1: n100, n101, n102, n103, n104, n105, n106, n107, n108, n109 and 490 more");
  EXPECT_EQ(engine.alerts()[1]->summary, "1 nodes of r2: x");
}

TEST(Engine, GroupsWithoutEndAreCutAndToldOf) {
  Engine engine(rules({kHigh + ", by: [node]"}));
  std::vector<std::string> lines;
  for (int i = 0; i < 203; ++i) lines.push_back(fmt::format(R"(m{{node="n{}"}} 11)", i));
  engine.evaluate(at(0, lines));
  EXPECT_EQ(told(engine).size(), 200u);
  EXPECT_THAT(engine.notes(), ElementsAre(HasSubstr("rule High: 3 more groups")));
}

const std::vector<std::string> kLayered = {
    "name: Controller, layer: controller, value: {metric: c}, above: 0, inhibits: [node, job]",
    "name: Node, layer: node, value: {metric: n}, above: 0, by: [node], inhibits: [job]",
    "name: Job, layer: job, value: {metric: j}, above: 0",
    "name: NodeJob, layer: job, value: {metric: nj}, above: 0, by: [node]"};

std::string hidden_by(const Engine& engine, std::string_view rule) {
  for (const auto* alert : engine.alerts()) {
    if (alert->rule == rule) return alert->inhibited_by;
  }
  return "not there";
}

TEST(Engine, AnAlertHidesWhatFollowsFromItAndNothingElse) {
  Engine engine(rules(kLayered));
  engine.evaluate(at(0, {R"(n{node="a"} 1)", "j 1", R"(nj{node="a"} 1)"}));
  EXPECT_EQ(hidden_by(engine, "NodeJob"), "Node");
  EXPECT_EQ(hidden_by(engine, "Job"), "");  // it tells of no node
  engine.evaluate(at(1, {R"(n{node="a"} 1)", "j 1", R"(nj{node="b"} 1)"}));
  for (const auto* alert : engine.alerts()) {
    if (label(alert->group, "node") == "b") {
      EXPECT_EQ(alert->inhibited_by, "");
    }
  }
}

TEST(Engine, ACauseThatIsSeenLaterHidesWhatWasToldAlready) {
  Engine engine(rules(kLayered));
  engine.evaluate(at(0, {"j 1"}));
  EXPECT_TRUE(engine.alerts()[0]->tells());
  engine.evaluate(at(1, {"j 1", "c 1"}));
  EXPECT_EQ(hidden_by(engine, "Job"), "Controller");
  EXPECT_EQ(hidden_by(engine, "Controller"), "");
  engine.evaluate(at(2, {"j 1", "c 0"}));
  EXPECT_EQ(hidden_by(engine, "Job"), "");
}

TEST(Engine, ItFiresAnew) {
  Engine engine(rules({kHigh}));
  engine.evaluate(at(0, {"m 11"}));
  engine.evaluate(at(1, {"m 1"}));
  engine.evaluate(at(2, {"m 11"}));
  ASSERT_THAT(told(engine), ElementsAre("High firing"));
  EXPECT_EQ(engine.alerts()[0]->firing_since, at(2, {}).time);
}

TEST(Engine, AnEndedAlertIsShownForAQuarterOfAnHour) {
  Engine engine(rules({kHigh}));
  engine.evaluate(at(0, {"m 11"}));
  engine.evaluate(at(1, {"m 1"}));
  engine.evaluate(at(16, {"m 1"}));
  EXPECT_THAT(told(engine), ElementsAre("High ended"));
  engine.evaluate(at(17, {"m 1"}));
  EXPECT_THAT(told(engine), IsEmpty());
}

TEST(Engine, ACodeThatStaysIsOneEvent) {
  Engine engine(rules({"name: Xid, value: {metric: xid, changes: 10m}, above: 0, by: [gpu]"}));
  int firing = 0;
  for (int minute = 0; minute < 200; ++minute) {
    engine.evaluate(at(minute, {minute < 5 ? R"(xid{gpu="0"} 0)" : R"(xid{gpu="0"} 31)"}));
    for (const auto* alert : engine.alerts()) firing += alert->firing() ? 1 : 0;
  }
  EXPECT_EQ(firing, 10);
}

TEST(Engine, WhatIsUnusualFiresAndNobodyKnowingDoesNot) {
  Engine engine(
      rules({"name: Wait, value: {metric: w}, baseline: high, by: [partition], for: 2m"}));
  auto input = [](int minute, Verdict::State state) {
    auto now = at(minute, {});
    now.verdicts = {{"w", {{"partition", "a"}}, state, 412, "412 now; usual 199 at this hour"}};
    return now;
  };
  engine.evaluate(input(0, Verdict::State::kNone));
  EXPECT_THAT(told(engine), IsEmpty());
  engine.evaluate(input(1, Verdict::State::kLow));
  EXPECT_THAT(told(engine), IsEmpty());
  for (int minute : {2, 3, 4}) engine.evaluate(input(minute, Verdict::State::kHigh));
  ASSERT_THAT(told(engine), ElementsAre(R"(Wait{partition="a"} firing)"));
  EXPECT_EQ(annotations(*engine.alerts()[0]).at("usual"), "412 now; usual 199 at this hour");
  engine.evaluate(input(5, Verdict::State::kNone));
  EXPECT_THAT(told(engine), ElementsAre(R"(Wait{partition="a"} firing)"));
  engine.evaluate(input(6, Verdict::State::kNormal));
  EXPECT_THAT(told(engine), ElementsAre(R"(Wait{partition="a"} ended)"));
}

TEST(Engine, SilencesSurviveARestart) {
  Engine first(rules({kHigh + ", by: [node]"}));
  const std::vector<std::string> lines = {R"(m{node="n1"} 11)", R"(m{node="n2"} 11)"};
  Silence silence;
  silence.matchers = {{"node", Pattern("n1|x*")}};
  silence.from = at(0, {}).time;
  silence.until = at(10, {}).time;
  silence.author = "amy";
  silence.comment = "the disk is changed";
  ASSERT_EQ(first.silences().add(silence, at(0, {}).time).value(), "1");
  auto engine = restarted(first);
  engine.evaluate(at(5, lines));
  ASSERT_EQ(told(engine).size(), 2u);
  EXPECT_EQ(engine.alerts()[0]->silenced_by, "1");
  EXPECT_FALSE(engine.alerts()[0]->tells());
  EXPECT_TRUE(engine.alerts()[1]->tells());
  engine.evaluate(at(10, lines));
  EXPECT_TRUE(engine.alerts()[0]->tells());
}

TEST(Engine, AlertsOfARuleThatIsGoneEndSo) {
  Engine engine(rules({kHigh, "name: Other, value: {metric: m}, above: 10"}));
  engine.evaluate(at(0, {"m 11"}));
  engine.set_rules(rules({kHigh}));
  engine.evaluate(at(1, {"m 11"}));
  ASSERT_THAT(told(engine), ElementsAre("High firing", "Other ended"));
  EXPECT_EQ(engine.alerts()[1]->ending, Ending::kRuleGone);
}

TEST(Engine, WindowsSurviveARestart) {
  Engine first(rules({"name: Many, value: {metric: n_total, increase: 10m}, above: 5"}));
  for (int minute = 0; minute < 4; ++minute)
    first.evaluate(at(minute, {"n_total " + std::to_string(100 + minute)}));
  auto engine = restarted(first);
  engine.evaluate(at(5, {"n_total 105"}));  // five in five minutes
  EXPECT_THAT(told(engine), IsEmpty());
  engine.evaluate(at(6, {"n_total 1"}));  // six: the counter has started again
  EXPECT_THAT(told(engine), ElementsAre("Many firing"));
}

TEST(Engine, AStateThatCannotBeReadIsAnErrorAndChangesNothing) {
  Engine engine(rules({kHigh}));
  engine.evaluate(at(0, {"m 11"}));
  const auto text = engine.save();
  EXPECT_THAT(engine.restore("").error().message(), HasSubstr("cannot be read"));
  for (std::size_t cut = 1; cut < text.size(); cut += 7) {
    EXPECT_FALSE(engine.restore(text.substr(0, cut)).has_value()) << cut;
  }
  EXPECT_THAT(engine.restore(R"({"version": 99})").error().message(), HasSubstr("another version"));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
  EXPECT_EQ(engine.save(), text);
}

TEST(Engine, TheClockMayBeSetBack) {
  Engine engine(rules({kHigh + ", for: 2m"}));
  engine.evaluate(at(10, {"m 11"}));
  engine.evaluate(at(0, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High pending"));
  engine.evaluate(at(12, {"m 11"}));
  EXPECT_THAT(told(engine), ElementsAre("High firing"));
}

TEST(Engine, AllAlertsHaveTheLabelsOfTheCluster) {
  Engine engine(rules({kHigh}), {{"cluster", "c1"}});
  engine.evaluate(at(0, {"m 11"}));
  EXPECT_EQ(engine.alerts()[0]->labels.at("cluster"), "c1");
}

TEST(Engine, NamesTheMetricsThatItReads) {
  Engine engine(
      rules({"name: A, value: {metric: h, quantile: 0.9, rate: 5m, per: {metric: p}}, above: 1, "
             "while: [{metric: w, above: 1}], names: {label: node, metric: i}"}));
  EXPECT_THAT(engine.metrics(),
              UnorderedElementsAre("h_bucket", "p", "w", "i", "schedlens_source_state",
                                   "schedlens_source_age_seconds"));
}

}  // namespace
}  // namespace schedlens::alert
