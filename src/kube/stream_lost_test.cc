// SPDX-License-Identifier: Apache-2.0
// A server that falls silent as a whole, and streams that are told that it is back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/script_test.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using model::SourceState;
using test::Script;
using testing::HasSubstr;

TEST(Stream, AServerThatIsLostIsAFailureAtOnce) {
  Script s;
  s.stream_list();
  s.pass(35s);
  s.stream.lose("https://k8s:6443/api/v1/pods: the server has not answered for 35 s", s.now);
  EXPECT_FALSE(s.stream.in_flight());
  EXPECT_EQ(s.state(), SourceState::kFailed);
  EXPECT_THAT(s.error(), HasSubstr("has not answered for 35 s"));
  // On another connection, from where it was.
  EXPECT_LE(s.wait_for_ask(), 1s);
  EXPECT_TRUE(s.last->fresh_connection);
  EXPECT_THAT(s.last->path, HasSubstr("&resourceVersion=10"));
  s.head(200);
  EXPECT_EQ(s.state(), SourceState::kFresh);
}

TEST(Stream, AListThatWasLostIsReadAnew) {
  Script s;
  s.ask();
  s.head(200);
  s.send(test::event("ADDED", test::object("a", "1")));
  s.stream.lose("lost", s.now);
  s.wait_for_ask();
  s.head(200);
  s.send(test::event("ADDED", test::object("b", "2")) + test::end_of_initial_events("10"));
  EXPECT_EQ(s.sink.text(), "b:2");
  EXPECT_EQ(s.state(), SourceState::kFresh);
}

// How long it still waits after it was told so, when it waits for long.
std::chrono::milliseconds hurried(Script& s) {
  s.pass(10ms);
  EXPECT_EQ(s.ask(), "");
  s.stream.hurry(s.now);
  return s.wait_for_ask();
}

TEST(Stream, WhatWasForbiddenOrNotAnsweredIsAskedForSoonWhenTheServerIsBack) {
  Script forbidden;
  forbidden.ask();
  for (int i = 0; i < 9; ++i) {
    forbidden.refuse(403, "Forbidden", "no");
    if (i < 8) forbidden.wait_for_ask();
  }
  EXPECT_LE(hurried(forbidden), 1010ms);

  Script away;
  away.ask();
  for (int i = 0; i < 9; ++i) {
    away.cut("Connection refused");
    if (i < 8) away.wait_for_ask();
  }
  EXPECT_LE(hurried(away), 1010ms);
}

TEST(Stream, AServerThatSaysWhenToComeAgainIsNotHurried) {
  Script s;
  s.ask();
  s.refuse(429, "TooManyRequests", "later", 20s);
  EXPECT_GE(hurried(s), 19s);
  // Nor is one request made twice.
  s.stream.hurry(s.now);
  EXPECT_EQ(s.ask(), "");
}

}  // namespace
}  // namespace schedlens::kube
