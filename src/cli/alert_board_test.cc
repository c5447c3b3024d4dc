// SPDX-License-Identifier: Apache-2.0
#include "cli/alert_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

alert::Alert firing(const char* rule) {
  alert::Alert a;
  a.rule = rule;
  a.phase = alert::Phase::kFiring;
  a.firing_since = Timestamp{1'799'999'400};
  a.summary = "4 nodes are down";
  a.meaning = "Their jobs are lost.";
  a.remedy = "Look at rack 3.";
  return a;
}

TEST(AlertBoard, WhatFiresSaysWhatToDo) {
  alert::Board board;
  board.time = {1'800'000'000};
  board.alerts = {firing("NodesDown"), firing("JobsWait")};
  board.alerts[1].inhibited_by = "NodesDown";
  board.alerts[1].remedy = "Wait.";
  const auto text = render_alerts(board, {});
  EXPECT_THAT(text, HasSubstr("NodesDown  warning   firing     10m0s ago  4 nodes are down"));
  EXPECT_THAT(text, HasSubstr("JobsWait   warning   inhibited"));
  EXPECT_THAT(text, HasSubstr("(because of NodesDown)"));
  EXPECT_THAT(text, HasSubstr("Look at rack 3."));
  EXPECT_THAT(text, Not(HasSubstr("Wait."))) << "nobody is told of it";
}

TEST(AlertBoard, SilencesAndReceiversThatFail) {
  alert::Board board;
  board.time = {1'800'000'000};
  alert::Silence silence;
  silence.id = "7";
  silence.matchers = {*alert::parse_matcher("partition=train")};
  silence.from = board.time;
  silence.until = board.time + Seconds{3600};
  silence.author = "alice";
  silence.comment = "new switch";
  board.silences = {silence};
  board.receivers = {{"alertmanager", 2, "connection refused", {}}, {"webhook", 0, "", {}}};
  const auto text = render_alerts(board, {});
  EXPECT_THAT(text, HasSubstr("no alerts"));
  EXPECT_THAT(text, HasSubstr("partition=train"));
  EXPECT_THAT(text, HasSubstr("alertmanager is not told: connection refused; 2 alerts wait"));
  EXPECT_THAT(text, Not(HasSubstr("webhook")));
}

}  // namespace
}  // namespace schedlens::cli
