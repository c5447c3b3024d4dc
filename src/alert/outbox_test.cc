// SPDX-License-Identifier: Apache-2.0
// What receivers hear, how often, and after which faults.
#include "alert/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/rules_test.h"

namespace schedlens::alert {
namespace {

using test::at;
using test::rules;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Timestamp second(std::int64_t s) {
  return {1'700'000'000 + s};
}

// An engine with a rule on each of the metrics a and b, and what an outbox tells of it.
class Deliveries : public testing::Test {
 protected:
  explicit Deliveries(Hearing hearing = Hearing::events()) : hearing_(hearing), outbox_(hearing) {}

  // The alerts at that second, with the values of a and b.
  void now(std::int64_t s, int a, int b = 0) {
    time_ = second(s);
    Input input;
    input.time = time_;
    input.samples = {{"a", {}, static_cast<double>(a)}, {"b", {}, static_cast<double>(b)}};
    engine_.evaluate(input);
    outbox_.update(engine_.alerts(), time_);
  }
  std::vector<Notice> due() { return outbox_.due(time_); }
  // What is sent and taken now: "A firing", "A resolved".
  std::vector<std::string> deliver() {
    auto notices = due();
    if (!notices.empty()) outbox_.sent(notices, time_);
    std::vector<std::string> texts;
    for (const auto& notice : notices) {
      texts.push_back(notice.labels.at("alertname") + (notice.firing ? " firing" : " resolved"));
    }
    return texts;
  }

  Engine engine_{
      rules({"name: A, layer: job, value: {metric: a}, above: 0",
             "name: B, layer: controller, value: {metric: b}, above: 0, inhibits: [job]"})};
  Hearing hearing_;
  Outbox outbox_;
  Timestamp time_;
};

TEST_F(Deliveries, EventsAreToldOnce) {
  now(0, 1);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
  for (int s = 15; s < 7200; s += 15) {
    now(s, 1);
    ASSERT_THAT(deliver(), IsEmpty()) << s;
  }
  EXPECT_EQ(outbox_.next(), std::nullopt);
  now(7200, 0);
  EXPECT_THAT(deliver(), ElementsAre("A resolved"));
  now(7215, 0);
  EXPECT_THAT(deliver(), IsEmpty());
  now(7230, 1);
  const auto again = due();
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].starts_at, second(7230));
}

TEST_F(Deliveries, FailuresAreTriedAgainAtGrowingIntervals) {
  now(0, 1);
  std::vector<std::int64_t> tries;
  for (int s = 0; s < 1000; ++s) {
    time_ = second(s);
    if (due().empty()) continue;
    tries.push_back(s);
    outbox_.failed(time_);
  }
  EXPECT_THAT(tries, ElementsAre(0, 5, 15, 35, 75, 155, 315, 615, 915));
  EXPECT_EQ(outbox_.waiting(), 1u);
  EXPECT_EQ(outbox_.next(), second(1215));
  time_ = second(1215);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
  EXPECT_EQ(outbox_.waiting(), 0u);
  EXPECT_EQ(outbox_.failures(), 0);
}

TEST_F(Deliveries, OfWhatCameAndWentMeanwhileTheEndIsTold) {
  now(0, 1);
  EXPECT_EQ(due().size(), 1u);
  outbox_.failed(time_);
  now(60, 0);
  const auto notices = due();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_FALSE(notices[0].firing);
  EXPECT_EQ(notices[0].starts_at, second(0));
  EXPECT_EQ(notices[0].ends_at, second(60));
  // The engine forgets it; the outbox not, for a day.
  now(10'000, 0);
  EXPECT_THAT(deliver(), ElementsAre("A resolved"));
}

TEST_F(Deliveries, AnEndThatNobodyTakesIsGivenUpAfterADay) {
  now(0, 1);
  now(60, 0);
  now(60 + 86'400, 0);
  EXPECT_EQ(outbox_.waiting(), 1u);
  now(61 + 86'400, 0);
  EXPECT_EQ(outbox_.waiting(), 0u);
}

TEST_F(Deliveries, WhatFollowsFromAnotherIsTakenBackAndToldAgain) {
  now(0, 1);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
  now(40, 1, 1);
  const auto notices = due();
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[0].annotations.count("withdrawn") + notices[1].annotations.count("withdrawn"),
            1u);
  EXPECT_THAT(deliver(), testing::UnorderedElementsAre("A resolved", "B firing"));
  now(80, 1, 0);
  EXPECT_THAT(deliver(), testing::UnorderedElementsAre("A firing", "B resolved"));
}

TEST_F(Deliveries, ARestartTellsNothingTwiceAndLosesNoEnd) {
  now(0, 1, 0);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
  const auto state = outbox_.save();
  outbox_ = Outbox(hearing_);
  ASSERT_TRUE(outbox_.restore(state).has_value());
  now(60, 1);
  EXPECT_THAT(deliver(), IsEmpty());
  const auto again = outbox_.save();
  outbox_ = Outbox(hearing_);
  ASSERT_TRUE(outbox_.restore(again).has_value());
  // It ended while the program was away, and the engine does not know it any more.
  engine_ = Engine(engine_.rules());
  now(120, 0);
  EXPECT_THAT(deliver(), ElementsAre("A resolved"));
}

TEST_F(Deliveries, AStateThatCannotBeReadIsAnError) {
  now(0, 1);
  const auto text = outbox_.save();
  for (std::size_t cut = 0; cut < text.size(); cut += 5) {
    EXPECT_FALSE(outbox_.restore(text.substr(0, cut)).has_value()) << cut;
  }
  EXPECT_EQ(outbox_.waiting(), 0u);
}

class ToAlertmanager : public Deliveries {
 protected:
  ToAlertmanager() : Deliveries(Hearing::alertmanager()) {}
};

TEST_F(ToAlertmanager, RepeatsBeforeItIsForgotten) {
  std::optional<Timestamp> believed_until;
  int sent = 0;
  for (int s = 0; s < 3600; s += 10) {
    now(s, 1);
    // Not even a sender that pauses for a minute and more lets it end.
    if (believed_until) {
      EXPECT_GT(*believed_until - time_, Seconds{180});
    }
    auto notices = due();
    if (notices.empty()) continue;
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(*notices[0].ends_at, time_ + Seconds{300});
    EXPECT_EQ(notices[0].starts_at, second(0));
    believed_until = notices[0].ends_at;
    outbox_.sent(notices, time_);
    ++sent;
  }
  EXPECT_EQ(sent, 60);
}

TEST_F(ToAlertmanager, TheEndIsRepeatedForAQuarterOfAnHour) {
  now(0, 1);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
  int ends = 0;
  for (int s = 30; s < 3600; s += 30) {
    now(s, 0);
    for (const auto& text : deliver()) {
      EXPECT_EQ(text, "A resolved");
      ++ends;
    }
  }
  EXPECT_EQ(ends, 16);
  EXPECT_EQ(outbox_.next(), std::nullopt);
}

TEST_F(ToAlertmanager, AnEndIsNotRepeatedLongAfter) {
  now(0, 1);
  deliver();
  now(30, 0);
  EXPECT_THAT(deliver(), ElementsAre("A resolved"));
  time_ = second(90);
  EXPECT_EQ(due().size(), 1u);
  outbox_.failed(time_);
  time_ = second(30 + 15 * 60);
  EXPECT_EQ(due().size(), 1u);
  time_ = second(31 + 15 * 60);
  EXPECT_THAT(due(), IsEmpty());
}

TEST_F(ToAlertmanager, AfterARestartItHearsAtOnce) {
  now(0, 1);
  deliver();
  const auto state = outbox_.save();
  outbox_ = Outbox(hearing_);
  ASSERT_TRUE(outbox_.restore(state).has_value());
  now(5, 1);
  EXPECT_THAT(deliver(), ElementsAre("A firing"));
}

TEST_F(ToAlertmanager, WhatItNeverHeardOfNeedNotEnd) {
  now(0, 1);
  outbox_.failed(time_);
  now(60, 0);
  EXPECT_THAT(due(), IsEmpty());
  EXPECT_EQ(outbox_.waiting(), 0u);
}

TEST(Notices, AreWrittenAsTheirReceiversReadThem) {
  Engine engine(
      rules({"name: A, value: {metric: a}, above: 0, by: [node], summary: '{node} \"hot\"'"}));
  engine.evaluate(at(0, {R"(a{node="n1"} 1)"}));
  auto notice = notice_of(*engine.alerts()[0]);
  EXPECT_EQ(notice.fingerprint,
            fingerprint(
                {{"alertname", "A"}, {"layer", "node"}, {"node", "n1"}, {"severity", "critical"}}));
  EXPECT_EQ(notice.fingerprint.size(), 16u);
  EXPECT_EQ(notices_json({notice}, ""),
            R"({"version":1,"sender":"schedlens","alerts":[{"status":"firing","fingerprint":")" +
                notice.fingerprint +
                R"(","labels":{"alertname":"A","layer":"node","node":"n1","severity":"critical"},)"
                R"("annotations":{"meaning":"m","remedy":"r","summary":"n1 \"hot\"","value":"1"},)"
                R"("starts_at":"2023-11-14T22:13:20Z","ends_at":null}]})");
  notice.firing = false;
  notice.ends_at = at(5, {}).time;
  EXPECT_EQ(alertmanager_json({notice}, "http://here/"),
            R"([{"labels":{"alertname":"A","layer":"node","node":"n1","severity":"critical"},)"
            R"("annotations":{"meaning":"m","remedy":"r","summary":"n1 \"hot\"","value":"1"},)"
            R"("startsAt":"2023-11-14T22:13:20Z","endsAt":"2023-11-14T22:18:20Z",)"
            R"("generatorURL":"http://here/"}])");
}

}  // namespace
}  // namespace schedlens::alert
