// SPDX-License-Identifier: Apache-2.0
#include "api/alerts_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/openapi.h"
#include "api/schema_check_test.h"

namespace schedlens::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AlertsView, WhatIsWrittenIsReadBack) {
  alert::Board board;
  board.time = {1'800'000'000};
  alert::Alert a;
  a.rule = "NodesDown";
  a.severity = alert::Severity::kCritical;
  a.phase = alert::Phase::kEnded;
  a.ending = alert::Ending::kGone;
  a.labels = {{"alertname", "NodesDown"}, {"partition", "train"}};
  a.active_since = {1'799'999'000};
  a.firing_since = Timestamp{1'799'999'100};
  a.ended_at = Timestamp{1'799'999'900};
  a.value = 0.5;
  a.summary = "50 % of the nodes";
  a.names = {{"n0", "n1"}, 40};
  board.alerts = {a};
  alert::Silence silence;
  silence.id = "3";
  silence.matchers = {*alert::parse_matcher("partition=train|dev")};
  silence.from = board.time;
  silence.until = board.time + Seconds{60};
  silence.author = "alice";
  board.silences = {silence};
  board.receivers = {{"alertmanager", 2, "connection refused", Timestamp{1'799'999'000}}};
  board.notes = {"rule X: 12 more groups"};
  JsonWriter json;
  write_alerts(json, board);
  const auto text = json.take();
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("Alerts", text), IsEmpty());
  const auto back = read_alerts(text);
  ASSERT_TRUE(back) << back.error().message();
  ASSERT_EQ(back->alerts.size(), 1U);
  EXPECT_EQ(back->alerts[0].labels, a.labels);
  EXPECT_EQ(back->alerts[0].ending, alert::Ending::kGone);
  EXPECT_EQ(back->alerts[0].names.count, 40U);
  EXPECT_THAT(back->alerts[0].names.first, ElementsAre("n0", "n1"));
  EXPECT_EQ(back->receivers[0].error, "connection refused");
  JsonWriter again;
  write_alerts(again, *back);
  EXPECT_EQ(again.str(), text);
}

TEST(AlertsView, OtherDocumentsAreRefused) {
  EXPECT_FALSE(read_alerts("{}"));
  EXPECT_FALSE(read_alerts("not found"));
}

}  // namespace
}  // namespace schedlens::api
