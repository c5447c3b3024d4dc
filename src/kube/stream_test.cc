// SPDX-License-Identifier: Apache-2.0
#include "kube/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/script_test.h"

namespace schedlens::kube {
namespace {

using namespace std::chrono_literals;
using model::SourceState;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using test::kBudgets;
using test::kCustom;
using test::kPods;
using test::kProtobufType;
using test::Script;

TEST(Stream, AStreamedListGoesOnAsAWatch) {
  Script s;
  EXPECT_EQ(s.state(), SourceState::kNever);
  s.stream_list();
  EXPECT_THAT(s.last->path, StartsWith("/api/v1/pods?watch=1&allowWatchBookmarks=true"));
  EXPECT_THAT(s.last->path, HasSubstr("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"));
  EXPECT_EQ(s.last->accept, "application/vnd.kubernetes.protobuf");
  EXPECT_TRUE(s.stream.loaded());
  EXPECT_EQ(s.state(), SourceState::kFresh);
  EXPECT_EQ(s.sink.version(), "v1");
  s.send(test::event("MODIFIED", test::object("a", "11")) +
         test::event("DELETED", test::object("b", "12")) +
         test::event("ADDED", test::object("c", "13")));
  EXPECT_EQ(s.sink.text(), "a:11 c:13");
  EXPECT_EQ(s.stream.status(s.now).records, 2u);
  EXPECT_TRUE(s.stream.in_flight());
}

TEST(Stream, AWatchThatEndsGoesOnFromTheLastVersionSeen) {
  Script s;
  s.stream_list();
  s.send(test::event("ADDED", test::object("c", "13")));
  s.pass(6s);
  s.end();
  EXPECT_THAT(s.ask(), HasSubstr("&resourceVersion=13"));
  EXPECT_THAT(s.last->path, Not(HasSubstr("sendInitialEvents")));
  EXPECT_EQ(s.last->idle_timeout, 90s);
  EXPECT_EQ(s.state(), SourceState::kFresh);
  EXPECT_EQ(s.stream.status(s.now).failures, 0u);
  // Bookmarks count, too, and are no objects.
  s.head(200);
  s.send(test::event("BOOKMARK", test::object("", "50")));
  EXPECT_EQ(s.sink.text(), "a:1 b:2 c:13");
  s.end();
  EXPECT_THAT(s.ask(), HasSubstr("&resourceVersion=50"));
}

TEST(Stream, ObjectsThatAListDoesNotBringAgainAreGoneAtItsEndOnly) {
  Script s;
  s.stream_list();
  s.send(test::event("ERROR", test::status(410, "Expired", "too old")));
  EXPECT_FALSE(s.stream.in_flight());
  s.wait_for_ask();
  s.head(200);
  s.send(test::event("ADDED", test::object("b", "20")));
  EXPECT_EQ(s.sink.text(), "a:1 b:20");
  s.send(test::end_of_initial_events("21"));
  EXPECT_EQ(s.sink.text(), "b:20");
}

TEST(Stream, A410ListsAnewWhetherStatusOrEvent) {
  for (bool as_event : {false, true}) {
    Script s;
    s.stream_list();
    s.pass(6s);
    s.end();
    ASSERT_THAT(s.ask(), HasSubstr("&resourceVersion=10"));
    if (as_event) {
      s.head(200);
      s.send(test::event("ERROR", test::status(410, "Gone", "too old resource version")));
    } else {
      s.refuse(410, "Expired", "too old resource version");
    }
    EXPECT_LE(s.wait_for_ask(), 1s);
    EXPECT_THAT(s.last->path, HasSubstr("sendInitialEvents=true")) << as_event;
    EXPECT_EQ(s.sink.text(), "a:1 b:2");  // still valid, and no longer known to be current
    EXPECT_EQ(s.state(), SourceState::kStale);
    EXPECT_THAT(s.error(), HasSubstr("everything is being read anew"));
    s.head(200);
    s.send(test::event("ADDED", test::object("b", "20")));
    EXPECT_EQ(s.state(), SourceState::kStale);
    s.send(test::end_of_initial_events("21"));
    EXPECT_EQ(s.state(), SourceState::kFresh);
    EXPECT_EQ(s.error(), "");
  }
}

TEST(Stream, A410AfterManyFailuresListsAnewAtOnce) {
  Script s;
  s.stream_list();
  s.cut();
  for (int i = 0; i < 6; ++i) {
    s.wait_for_ask();
    s.refuse(403, "Forbidden", "no");
  }
  s.wait_for_ask();
  s.head(200);
  s.send(test::event("ERROR", test::status(410, "Expired", "too old")));
  EXPECT_EQ(s.state(), SourceState::kStale);
  EXPECT_LE(s.wait_for_ask(), 10ms);
  EXPECT_THAT(s.last->path, HasSubstr("sendInitialEvents=true"));
}

TEST(Stream, A410AgainAndAgainIsNotAskedInALoop) {
  Script s;
  std::chrono::milliseconds waited{0};
  for (int i = 0; i < 8; ++i) {
    waited += s.wait_for_ask();
    s.head(200);
    s.send(test::end_of_initial_events("10"));
    s.send(test::event("ERROR", test::status(410, "Expired", "")));
  }
  EXPECT_GT(waited, 20s);
}

TEST(Stream, AListWithoutTheEndingBookmarkIsReadInPages) {
  Script s;
  EXPECT_THAT(s.ask(), HasSubstr("sendInitialEvents"));
  s.head(200);
  s.send(test::event("ADDED", test::object("a", "1")));
  s.pass(9s);
  s.send(test::event("ADDED", test::object("b", "2")));
  // A bookmark without the annotation ends nothing.
  s.send(test::event("BOOKMARK", test::object("", "2")));
  s.pass(9s);
  EXPECT_EQ(s.ask(), "");
  EXPECT_TRUE(s.stream.in_flight());
  s.pass(1100ms);
  EXPECT_EQ(s.ask(), "/api/v1/pods?limit=500");
  EXPECT_FALSE(s.stream.loaded());
  s.head(200);
  s.send(test::list("9", {test::object("b", "3")}));
  s.end();
  EXPECT_EQ(s.sink.text(), "b:3");
  EXPECT_THAT(s.ask(), HasSubstr("&resourceVersion=9"));
  // And the next list comes in pages at once.
  s.refuse(410);
  s.wait_for_ask();
  EXPECT_EQ(s.last->path, "/api/v1/pods?limit=500");
}

TEST(Stream, AServerThatRefusesToStreamListsIsReadInPages) {
  Script s;
  s.ask();
  s.refuse(422, "Invalid", "sendInitialEvents is forbidden for watch unless the gate is enabled");
  EXPECT_EQ(s.ask(), "/api/v1/pods?limit=500");
  EXPECT_EQ(s.stream.status(s.now).failures, 0u);
}

TEST(Stream, AServerThatFindsOutLateThatItCannotStreamListsIsReadInPages) {
  Script s;
  s.ask();
  s.head(200);
  s.send(test::event("ERROR", test::status(500, "", "the required storage feature is disabled")));
  EXPECT_EQ(s.ask(), "/api/v1/pods?limit=500");
  EXPECT_EQ(s.stream.status(s.now).failures, 0u);
  // Where pages fail, too, it is a failure.
  s.refuse(500, "InternalError", "etcd is away");
  EXPECT_EQ(s.error(), "status 500: etcd is away");
  EXPECT_EQ(s.state(), SourceState::kFailed);
}

TEST(Stream, AServerThatKeepsCuttingStreamedListsIsReadInPages) {
  Script s;
  for (int i = 0; i < 2; ++i) {
    s.wait_for_ask();
    ASSERT_THAT(s.last->path, HasSubstr("sendInitialEvents"));
    s.head(200);
    s.send(test::event("ADDED", test::object("a", "1")));
    s.cut();
  }
  s.wait_for_ask();
  EXPECT_EQ(s.last->path, "/api/v1/pods?limit=500");
}

void refuse_streaming(Script& s) {
  s.ask();
  s.refuse(400);
}

TEST(Stream, PagesAreReadUntilTheLast) {
  Script s;
  refuse_streaming(s);
  s.ask();
  s.head(200);
  auto body = test::list("9", {test::object("a", "1")}, "tok/en=");
  for (char c : body) s.send(std::string(1, c));
  s.end();
  EXPECT_FALSE(s.stream.loaded());
  EXPECT_EQ(s.ask(), "/api/v1/pods?limit=500&continue=tok%2Fen%3D");
  s.head(200);
  s.send(test::list("9", {}, "more"));  // a page may be empty
  s.end();
  EXPECT_EQ(s.ask(), "/api/v1/pods?limit=500&continue=more");
  s.head(200);
  s.send(test::list("9", {test::object("b", "2")}));
  s.end();
  EXPECT_TRUE(s.stream.loaded());
  EXPECT_EQ(s.sink.text(), "a:1 b:2");
  EXPECT_EQ(s.sink.lists_begun, 1);
  EXPECT_EQ(s.stream.status(s.now).records, 2u);
}

TEST(Stream, APageThatBreaksIsAskedForAgain) {
  Script s;
  refuse_streaming(s);
  s.ask();
  s.head(200);
  s.send(test::list("9", {test::object("a", "1")}, "p2"));
  s.end();
  s.ask();
  s.head(200);
  s.send("k8s");
  s.cut();
  s.wait_for_ask();
  EXPECT_EQ(s.last->path, "/api/v1/pods?limit=500&continue=p2");
  s.head(200);
  s.send(test::list("9", {test::object("b", "2")}));
  s.end();
  EXPECT_EQ(s.sink.text(), "a:1 b:2");
}

TEST(Stream, AnExpiredPageTokenBeginsTheListAnewWithLargerPages) {
  Script s;
  refuse_streaming(s);
  s.ask();
  s.head(200);
  s.send(test::list("9", {test::object("a", "1")}, "p2"));
  s.end();
  s.ask();
  s.refuse(410, "Expired", "The provided continue parameter is too old");
  s.wait_for_ask();
  EXPECT_EQ(s.last->path, "/api/v1/pods?limit=2000");
  s.head(200);
  s.send(test::list("30", {test::object("c", "3")}));
  s.end();
  EXPECT_EQ(s.sink.text(), "c:3");
}

TEST(Stream, RefusedCredentialsAreRenewedOnceBeforeItFails) {
  StreamOptions options;
  options.credentials = "the token in /run/token";
  Script s(kPods, options);
  s.stream_list();
  s.pass(6s);
  s.end();
  s.ask();
  s.refuse(401, "Unauthorized", "token expired");
  EXPECT_EQ(s.state(), SourceState::kFresh);
  EXPECT_THAT(s.ask(), HasSubstr("resourceVersion=10"));
  EXPECT_TRUE(s.last->renew_credentials);
  s.refuse(401, "Unauthorized", "token expired");
  EXPECT_EQ(s.state(), SourceState::kFailed);
  EXPECT_EQ(s.error(),
            "the credentials are refused (the token in /run/token): status 401: token expired");
  EXPECT_EQ(s.stream.condition(), Condition::kRefused);
  EXPECT_LE(s.wait_for_ask(), 1s);
  for (int i = 0; i < 5; ++i) {
    s.refuse(401, "Unauthorized", "token expired");
    s.wait_for_ask();
  }
  s.refuse(401, "Unauthorized", "token expired");
  EXPECT_GE(s.wait_for_ask(), 30s);
  EXPECT_TRUE(s.last->renew_credentials);
  s.head(200);
  EXPECT_EQ(s.state(), SourceState::kFresh);
  EXPECT_EQ(s.error(), "");
  s.pass(6s);
  s.end();
  s.ask();
  EXPECT_FALSE(s.last->renew_credentials);
}

TEST(Stream, MissingCredentialsAreAnErrorThatIsRetried) {
  Script s;
  s.ask();
  s.stream.unsent("/token: the token cannot be read", s.now);
  EXPECT_EQ(s.error(), "/token: the token cannot be read");
  EXPECT_EQ(s.state(), SourceState::kFailed);
  s.wait_for_ask();
  EXPECT_FALSE(s.stream.loaded());
}

TEST(Stream, WhatIsForbiddenIsAskedForSeldomButWithinHalfAMinute) {
  Script s;
  s.ask();
  s.refuse(403, "Forbidden", "pods is forbidden: User \"x\" cannot list resource \"pods\"");
  EXPECT_EQ(s.stream.condition(), Condition::kForbidden);
  EXPECT_EQ(s.state(), SourceState::kFailed);
  EXPECT_THAT(s.error(), StartsWith("forbidden: pods is forbidden: User"));
  EXPECT_FALSE(s.stream.loaded());
  // A server that has just started forbids everything for a moment.
  std::chrono::milliseconds asked{0};
  EXPECT_LE(s.wait_for_ask(), 1s);
  for (int i = 0; i < 6; ++i) {
    s.refuse(403, "Forbidden", "no");
    asked = s.wait_for_ask();
  }
  EXPECT_GE(asked, 15s);
  EXPECT_LE(asked, 30s);
  // The right may be given later.
  s.head(200);
  s.send(test::end_of_initial_events("10"));
  EXPECT_EQ(s.state(), SourceState::kFresh);
}

TEST(Stream, AnotherVersionIsTriedWhereOneIsNotServed) {
  Script s(kBudgets);
  EXPECT_THAT(s.ask(), StartsWith("/apis/x.io/v2/budgets?"));
  s.refuse(404, "NotFound", "the server could not find the requested resource");
  EXPECT_THAT(s.ask(), StartsWith("/apis/x.io/v1/budgets?"));
  s.head(200);
  s.send(test::end_of_initial_events("10"));
  EXPECT_EQ(s.sink.version(), "x.io/v1");
  EXPECT_EQ(s.state(), SourceState::kFresh);
}

TEST(Stream, AResourceThatIsNotServedIsNoFailureAndMayComeLater) {
  Script s(kBudgets);
  s.ask();
  s.refuse(404);
  s.ask();
  s.refuse(404, "", "404 page not found");
  EXPECT_EQ(s.stream.condition(), Condition::kNotServed);
  EXPECT_EQ(s.state(), SourceState::kNever);
  EXPECT_EQ(s.error(),
            "the server has no budgets of x.io/v2, x.io/v1: status 404: 404 page not found");
  EXPECT_GE(s.wait_for_ask(), 180s);
  EXPECT_THAT(s.last->path, StartsWith("/apis/x.io/v2/budgets?"));
}

TEST(Stream, AServerThatAsksForPatienceGetsIt) {
  Script s;
  s.stream_list();
  s.pass(6s);
  s.end();
  s.ask();
  s.refuse(429, "TooManyRequests", "try again later", 7s);
  EXPECT_GE(s.wait_for_ask(), 7s);
  EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=10"));
  EXPECT_EQ(s.state(), SourceState::kFailed);
  s.head(503);
  s.send(test::wrapped(test::status(503, "ServiceUnavailable", "apiserver is starting", 9)));
  s.end();
  EXPECT_GE(s.wait_for_ask(), 9s);
}

TEST(Stream, ACutInsideAnEventLosesNothing) {
  Script s;
  s.stream_list();
  auto event = test::event("ADDED", test::object("c", "13"));
  s.send(event + event.substr(0, event.size() / 2));
  s.cut();
  EXPECT_EQ(s.state(), SourceState::kFresh);  // an everyday matter
  EXPECT_THAT(s.error(), HasSubstr("reset"));
  EXPECT_LE(s.wait_for_ask(), 1s);
  EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=13"));
  s.head(200);
  EXPECT_EQ(s.error(), "");
  s.send(test::event("ADDED", test::object("d", "14")));
  EXPECT_EQ(s.sink.text(), "a:1 b:2 c:13 d:14");
}

TEST(Stream, AServerThatIsAwayIsTriedEverMoreSeldom) {
  Script s;
  s.stream_list();
  s.pass(10s);
  s.cut("HTTP/2 connection was closed: GOAWAY");
  std::chrono::milliseconds longest{0}, shortest{1h};
  for (int i = 0; i < 12; ++i) {
    auto waited = s.wait_for_ask();
    longest = std::max(longest, waited);
    shortest = std::min(shortest, waited);
    s.cut("https://k8s:6443/api/v1/pods: Could not resolve host: k8s");
  }
  EXPECT_GE(shortest, 500ms);
  EXPECT_GE(longest, 15s);
  EXPECT_LE(longest, 31s);
  EXPECT_EQ(s.state(), SourceState::kFailed);
  EXPECT_EQ(s.error(), "https://k8s:6443/api/v1/pods: Could not resolve host: k8s");
  EXPECT_EQ(s.stream.status(s.now).last_success, Timestamp{1'800'000'000});
  EXPECT_EQ(s.sink.text(), "a:1 b:2");
  // It comes back, and nothing was missed.
  s.wait_for_ask();
  EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=10"));
}

TEST(Stream, ASilentConnectionIsLeftForAnother) {
  Script s;
  s.stream_list();
  s.pass(90s);
  s.silence();
  EXPECT_THAT(s.ask(), HasSubstr("resourceVersion=10"));
  EXPECT_TRUE(s.last->fresh_connection);
  s.pass(11s);
  EXPECT_EQ(s.state(), SourceState::kStale);
  s.head(200);
  EXPECT_EQ(s.state(), SourceState::kFresh);
  // A server that takes connections and says nothing at all is a failure.
  s.pass(90s);
  s.silence();
  s.ask();
  s.pass(90s);
  s.silence();
  s.wait_for_ask();
  s.pass(90s);
  s.silence();
  EXPECT_EQ(s.state(), SourceState::kFailed);
}

TEST(Stream, WatchesThatEndAtOnceAreNotAskedForInALoopAndThenListed) {
  Script s;
  s.stream_list();
  s.pass(6s);
  s.end();
  std::chrono::milliseconds waited{0};
  for (int i = 0; i < 3; ++i) {
    waited += s.wait_for_ask();
    EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=10"));
    s.head(200);
    s.end();
  }
  EXPECT_GE(waited, 1s);
  s.wait_for_ask();
  EXPECT_THAT(s.last->path, HasSubstr("sendInitialEvents"));
}

TEST(Stream, AnErrorEventOtherThan410GoesOnFromWhereItWas) {
  Script s;
  s.stream_list();
  s.send(test::event("ERROR", test::status(500, "InternalError", "etcd event received late")));
  s.wait_for_ask();
  EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=10"));
  EXPECT_EQ(s.error(), "status 500: etcd event received late");
}

TEST(Stream, AnUnreadableObjectIsCountedAndStopsNothing) {
  Script s;
  s.ask();
  s.head(200);
  s.send(test::event("ADDED", test::object("bad1", "1")) +
         test::event("ADDED", test::object("b", "2")) + test::end_of_initial_events("10"));
  EXPECT_EQ(s.sink.text(), "b:2");
  auto status = s.stream.status(s.now);
  EXPECT_EQ(status.state, SourceState::kPartial);
  EXPECT_EQ(status.unreadable_records, 1u);
  ASSERT_EQ(status.warnings.size(), 1u);
  EXPECT_EQ(status.warnings[0], "bad1: spec makes no sense");
  s.send(test::frame_of("this is no event") + test::event("ADDED", test::object("c", "13")));
  EXPECT_EQ(s.sink.text(), "b:2 c:13");
  EXPECT_EQ(s.stream.status(s.now).unreadable_records, 2u);
  s.send(test::event("DELETED", test::object("bad1", "14")));
  EXPECT_EQ(s.stream.status(s.now).unreadable_records, 1u);
  EXPECT_EQ(s.stream.status(s.now).records, 2u);
}

TEST(Stream, BytesThatCannotBeFramesEndTheWatch) {
  Script s;
  s.stream_list();
  s.send("HTTP/1.1 502 from a confused proxy");
  EXPECT_FALSE(s.stream.in_flight());
  EXPECT_THAT(s.error(), HasSubstr("a watch frame says that it has 1213486160 bytes"));
  s.wait_for_ask();
  EXPECT_THAT(s.last->path, HasSubstr("resourceVersion=10"));
}

TEST(Stream, AnAnswerOfAnotherKindIsAnError) {
  Script s;
  s.ask();
  s.stream.head({200, "text/html", {}}, s.now);
  s.send("<html>log in</html>");
  s.end();
  EXPECT_THAT(s.error(), HasSubstr("the server answers with 'text/html' where application/vnd"));
  EXPECT_FALSE(s.stream.loaded());
}

TEST(Stream, CustomResourcesComeAsLinesOfJson) {
  Script s(kCustom);
  EXPECT_THAT(s.ask(), StartsWith("/apis/x.io/v1/things?"));
  EXPECT_EQ(s.last->accept, "application/json");
  s.head(200);
  s.send(R"({"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"3"}}})"
         "\n"
         R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9",)"
         R"("annotations":{"k8s.io/initial-events-end":"true"}}}})"
         "\n");
  EXPECT_EQ(s.sink.text(), "a:3");
  EXPECT_TRUE(s.stream.loaded());
  s.send(R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})"
         "\n");
  s.wait_for_ask();
  EXPECT_THAT(s.last->path, HasSubstr("sendInitialEvents"));
}

TEST(Stream, OneNamespaceAndASelectorNarrowTheRequest) {
  Resource events{
      "events", "events", {{"", "v1"}}, true, Encoding::kProtobuf, "reason!=Pulled,type=Warning"};
  StreamOptions options;
  options.ns = "ml";
  Script s(events, options);
  EXPECT_THAT(s.ask(), StartsWith("/api/v1/namespaces/ml/events?"));
  EXPECT_THAT(s.last->path, HasSubstr("&fieldSelector=reason%21%3DPulled%2Ctype%3DWarning"));
}

}  // namespace
}  // namespace schedlens::kube
