// SPDX-License-Identifier: Apache-2.0
#include "watch/alarms.h"

#include <gmock/gmock.h>

#include "alert/rule_set.h"
#include "memory/store_dir_test.h"

namespace schedlens::watch {
namespace {

using memory::test::kDecember;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kRules = R"(
rules:
  - name: ManyWait
    severity: warning
    layer: job
    summary: "{value} jobs wait"
    meaning: Many jobs wait.
    remedy: Look why.
    value: {metric: schedlens_job_tasks, labels: {state: pending}}
    above: 10
    for: 1m
  - name: MoreThanUsual
    severity: warning
    layer: job
    summary: more jobs wait than usual
    meaning: Many jobs wait.
    remedy: Look why.
    value: {metric: pending_jobs}
    baseline: high
)";

class AlarmsTest : public memory::test::StoreDir {
 protected:
  static std::vector<alert::Rule> rules() {
    auto set = alert::load_rules({{"rules.yaml", kRules}});
    EXPECT_TRUE(set) << set.error().message();
    return set->rules;
  }
  static std::string page(int waiting) {
    return "schedlens_job_tasks{state=\"pending\"} " + std::to_string(waiting) +
           "\nschedlens_source_state{source=\"squeue\",state=\"fresh\"} 1\n";
  }
  void look(Alarms& alarms, int waiting, std::vector<JudgedSeries> judged = {}) {
    clock_.advance(Seconds{30});
    alarms.evaluate(clock_.now(), page(waiting), judged);
  }
  static std::vector<std::string> firing(const Alarms& alarms) {
    std::vector<std::string> names;
    for (const auto& a : alarms.board()->alerts) {
      if (a.firing()) names.push_back(a.rule);
    }
    return names;
  }
};

TEST_F(AlarmsTest, FromPendingToFiringToItsRecord) {
  auto store = open();
  auto from = reader();
  Alarms alarms(rules(), {{"cluster", "lab"}}, clock_);
  alarms.remember(*store, from);
  EXPECT_THAT(alarms.families(), Contains("schedlens_job_tasks"));
  EXPECT_EQ(alarms.board(), nullptr);
  look(alarms, 50);
  EXPECT_THAT(firing(alarms), IsEmpty());
  look(alarms, 50);
  look(alarms, 51);
  EXPECT_THAT(firing(alarms), ElementsAre("ManyWait"));
  metrics::WatchRows rows;
  alarms.fill(rows);
  ASSERT_THAT(rows.alerts, SizeIs(1));
  EXPECT_EQ(rows.alerts[0].phase, "firing");
  EXPECT_EQ(rows.alerts[0].count, 1U);
  look(alarms, 3);
  flush(*store);
  const auto records = *reader().alerts({});
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].rule, "ManyWait");
  EXPECT_EQ(records[0].ends, clock_.now());
  EXPECT_THAT(records[0].labels, ::testing::HasSubstr("cluster=\"lab\""));
}

TEST_F(AlarmsTest, AnAlertOutlivesTheProcess) {
  Timestamp began;
  {
    auto store = open();
    auto from = reader();
    Alarms alarms(rules(), {}, clock_);
    alarms.remember(*store, from);
    for (int i = 0; i < 3; ++i) look(alarms, 50);
    began = *alarms.board()->alerts.front().firing_since;
    flush(*store);
  }
  auto store = open();
  auto from = reader();
  Alarms alarms(rules(), {}, clock_);
  alarms.remember(*store, from);
  look(alarms, 50);
  ASSERT_THAT(firing(alarms), ElementsAre("ManyWait"));
  EXPECT_EQ(alarms.board()->alerts.front().firing_since, began);
  flush(*store);
  EXPECT_THAT(*reader().alerts({}), SizeIs(1));
}

TEST_F(AlarmsTest, WhatIsUsualDecides) {
  Alarms alarms(rules(), {}, clock_);
  JudgedSeries series;
  series.watched = baseline::find_watched("pending_jobs");
  series.judged.verdict.state = baseline::State::kHigh;
  series.judged.verdict.spreads = 9;
  look(alarms, 1, {series});
  EXPECT_THAT(firing(alarms), IsEmpty()) << "outside, and not for long enough";
  series.judged.verdict.alarm = true;
  look(alarms, 1, {series});
  EXPECT_THAT(firing(alarms), ElementsAre("MoreThanUsual"));
  series.judged.verdict.state = baseline::State::kNoBaseline;
  look(alarms, 1, {series});
  EXPECT_THAT(firing(alarms), ElementsAre("MoreThanUsual")) << "nobody knows: it stays";
}

}  // namespace
}  // namespace schedlens::watch
