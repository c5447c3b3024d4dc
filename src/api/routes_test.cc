// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <thread>

#include "api/openapi.h"
#include "api/sample_snapshot_test.h"
#include "api/schema_check_test.h"
#include "memory/store_dir_test.h"
#include "model/snapshot_file.h"

namespace schedlens::api {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

model::SnapshotPtr shared(model::Snapshot s) {
  s.build_index();
  return std::make_shared<const model::Snapshot>(std::move(s));
}

class Routes : public testing::Test {
 protected:
  explicit Routes(Live::Detail detail = nullptr) : live_(std::move(detail)) {
    facts_.essential_sources = {"jobs", "nodes"};
  }

  http::Response get(const std::string& target, const std::string& method = "GET") {
    http::Request request;
    request.method = method;
    EXPECT_TRUE(http::parse_target(target, request));
    http::Response response;
    const auto* route = router_.find(request, response);
    if (route) response = route->handler(request);
    std::string piece;
    while (response.next_piece && response.next_piece(piece)) response.body += piece;
    return response;
  }
  void expect_schema(const std::string& target, const char* schema) {
    auto response = get(target);
    EXPECT_EQ(response.status, 200) << target << response.body;
    EXPECT_EQ(response.content_type, "application/json");
    EXPECT_THAT(check_.check(schema, response.body), IsEmpty()) << target;
  }
  void publish() { live_.publish(shared(test::sample_snapshot())); }

  Live live_;
  ServerFacts facts_;
  Timestamp now_{1'796'000'010};
  Context context_{live_, "1.2.3", [this] { return now_; }, [this] { return facts_; }};
  http::Router router_ = make_router(context_);
  test::SchemaCheck check_{openapi_json("1")};
};

TEST_F(Routes, BeforeTheFirstSnapshotViewsAre503) {
  for (const auto& route : api_routes()) {
    if (!route.path.starts_with("/api/v1/") || route.schema == "OpenApi") continue;
    if (route.path.starts_with("/api/v1/history/") || route.schema == "WeekReport")
      continue;  // of what was before
    auto response = get(std::string(route.path));
    EXPECT_EQ(response.status, 503) << route.path;
    EXPECT_THAT(response.body, HasSubstr("nothing has been read"));
  }
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_THAT(get("/readyz").body, HasSubstr("[\"nothing has been read from the scheduler yet\"]"));
  facts_.first_read_trouble = "scontrol show node: no answer within 30 s";
  EXPECT_THAT(get("/readyz").body, HasSubstr("yet: scontrol show node: no answer within 30 s"));
  auto metrics = get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.body, HasSubstr("schedlens_build_info{version=\"1.2.3\"} 1\n"));
}

TEST_F(Routes, EveryViewKeepsToItsSchema) {
  publish();
  expect_schema("/api/v1/status", "Status");
  expect_schema("/api/v1/queue", "Queue");
  expect_schema("/api/v1/nodes", "Nodes");
  expect_schema("/api/v1/jobs/101", "Job");
  expect_schema("/api/v1/nodes/n1", "NodeDetail");
  expect_schema("/api/v1/why", "WhyAll");
  expect_schema("/api/v1/why/103", "Why");
  expect_schema("/api/v1/why/104", "Why");
  expect_schema("/api/v1/why/101", "Why");
  expect_schema("/api/v1/frag", "Frag");
  expect_schema("/api/v1/efficiency", "Efficiency");
  expect_schema("/api/v1/sources", "Sources");
  expect_schema("/healthz", "Health");
  EXPECT_EQ(get("/api/v1/openapi.json").body, openapi_json("1.2.3"));
}

TEST_F(Routes, AgesCountFromNow) {
  publish();
  auto body = get("/api/v1/sources").body;
  EXPECT_THAT(body, HasSubstr("\"as_of\":1796000010"));
  EXPECT_THAT(body, HasSubstr("\"name\":\"nodes\",\"state\":\"failed\",\"age_seconds\":40"));
}

TEST_F(Routes, TheQueueCanBeFiltered) {
  publish();
  EXPECT_THAT(get("/api/v1/queue?user=carol").body, HasSubstr("\"total\":2"));
  EXPECT_THAT(get("/api/v1/queue?state=RUNNING&node=n3").body, HasSubstr("\"id\":\"102\""));
  EXPECT_THAT(get("/api/v1/queue?gpu=false").body, HasSubstr("\"total\":0"));
  EXPECT_THAT(get("/api/v1/queue?user=alice,bob").body, HasSubstr("\"total\":2"));
  EXPECT_THAT(get("/api/v1/queue?user=alice&user=bob").body, HasSubstr("\"total\":2"));
  EXPECT_THAT(get("/api/v1/queue?gpus_min=9").body, HasSubstr("\"total\":1"));
  EXPECT_THAT(get("/api/v1/queue?cause=hold").body, HasSubstr("\"total\":0"));
  EXPECT_THAT(get("/api/v1/nodes?free_gpus=2&gpu_type=a100").body, HasSubstr("\"total\":2"));
  EXPECT_THAT(get("/api/v1/nodes?state=unhealthy").body, HasSubstr("\"total\":1"));
}

TEST_F(Routes, WrongParametersAreRefusedByName) {
  publish();
  auto response = get("/api/v1/queue?usr=carol");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("unknown parameter 'usr', did you mean 'user'?"));
  EXPECT_EQ(get("/api/v1/queue?state=runing").status, 400);
  EXPECT_EQ(get("/api/v1/queue?gpu=yes").status, 400);
  EXPECT_EQ(get("/api/v1/queue?gpus_min=many").status, 400);
  EXPECT_EQ(get("/api/v1/queue?cause=fragmentatoin").status, 400);
  EXPECT_EQ(get("/api/v1/queue?queue=nowhere").status, 400);
  EXPECT_EQ(get("/api/v1/why/103?detail=perhaps").status, 400);
  EXPECT_EQ(get("/api/v1/status?x=1").status, 400);
}

TEST_F(Routes, WhatIsNotThereIs404) {
  publish();
  for (auto target : {"/api/v1/jobs/999", "/api/v1/jobs/x", "/api/v1/why/999", "/api/v1/nodes/n9",
                      "/api/v1/nothing", "/api/v2/status"}) {
    EXPECT_EQ(get(target).status, 404) << target;
  }
  EXPECT_THAT(get("/api/v1/jobs/999").body,
              HasSubstr("there is no job 999 in what was read at 2026-11-30T"));
  EXPECT_EQ(get("/api/v1/status", "POST").status, 405);
}

TEST_F(Routes, TheSnapshotIsTheFile) {
  publish();
  auto again = model::snapshot_from_json(get("/api/v1/snapshot").body);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->workloads.size(), 4u);
  EXPECT_EQ(again->cluster, "sample");
}

TEST_F(Routes, ReadyWhileWhatMattersIsFresh) {
  publish();
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(get("/readyz").body, "{\"ready\":true,\"reasons\":[]}\n");
  now_ = {1'796'000'070};  // the nodes are 100 s old, the jobs 70 s
  auto response = get("/readyz");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(check_.check("Readiness", response.body), IsEmpty());
  EXPECT_THAT(response.body, HasSubstr("nodes: last read 1m40s ago, more than 1m30s: scontrol: "));
  EXPECT_THAT(response.body, Not(HasSubstr("jobs:")));
  facts_.interval = {60};
  EXPECT_EQ(get("/readyz").status, 200);
  facts_.essential_sources.push_back("licences");
  EXPECT_THAT(get("/readyz").body, HasSubstr("licences: never read"));
}

TEST_F(Routes, WhatAWatchBringsIsShownWithoutAnotherRead) {
  auto snapshot = test::sample_snapshot();
  live_.publish(std::make_shared<model::Snapshot>(snapshot));
  const auto first = live_.current();
  live_.publish(std::make_shared<model::Snapshot>(snapshot));
  EXPECT_EQ(live_.current(), first);
  snapshot.sources[0].bytes += 1;
  live_.publish(std::make_shared<model::Snapshot>(snapshot));
  EXPECT_NE(live_.current(), first);
}

// A watch with nothing new to tell is silent for longer than three intervals.
TEST_F(Routes, ReadyWhileASourceThatWorksIsQuiet) {
  facts_.essential_sources = {"jobs"};
  facts_.interval = {5};
  publish();
  now_ = {1'796'000'070};  // the jobs are 70 s old
  EXPECT_THAT(get("/readyz").body, HasSubstr("jobs: last read 1m10s ago, more than 15s"));
  facts_.longest_quiet = {100};
  EXPECT_EQ(get("/readyz").status, 200);
  now_ = {1'796'000'120};
  EXPECT_THAT(get("/readyz").body, HasSubstr("jobs: last read 2m0s ago, more than 1m40s"));
  // What has failed is not quiet.
  facts_.essential_sources = {"nodes"};
  now_ = {1'796'000'010};
  EXPECT_THAT(get("/readyz").body, HasSubstr("nodes: last read 40s ago, more than 15s: scontrol"));
}

TEST_F(Routes, MetricsTellTheSnapshotAndTheServer) {
  publish();
  facts_.config_reload_failed = true;
  auto body = get("/metrics").body;
  EXPECT_THAT(body, HasSubstr("schedlens_config_last_reload_successful 0\n"));
  EXPECT_THAT(body, HasSubstr("schedlens_nodes"));
  auto chosen = get("/metrics?collect[]=schedlens_build").body;
  EXPECT_THAT(chosen, HasSubstr("schedlens_build_info"));
  EXPECT_THAT(chosen, Not(HasSubstr("schedlens_nodes")));
}

TEST_F(Routes, ObjectsAreShownOnlyWhereKindsAreChosen) {
  publish();
  EXPECT_EQ(get("/metrics/kube-state").status, 404);
  EXPECT_THAT(get("/metrics/kube-state").body, HasSubstr("metrics.kube_state"));
  ASSERT_TRUE(model::read_state_kinds("pods", facts_.kube_state));
  EXPECT_EQ(get("/metrics/kube-state").status, 200);
  EXPECT_EQ(get("/metrics/kube-state").body, "");  // the sample has no pods
}

TEST_F(Routes, StatusTellsAFailedReload) {
  publish();
  EXPECT_THAT(get("/api/v1/status").body, HasSubstr("\"config_reload_failed\":false"));
  facts_.config_reload_failed = true;
  facts_.config_error = "c.yaml:1:1: unknown key";
  auto body = get("/api/v1/status").body;
  EXPECT_THAT(body, HasSubstr("\"config_reload_failed\":true,\"config_error\":\"c.yaml:1:1: "));
}

TEST_F(Routes, TheIndexLinksWhatCanBeOpened) {
  auto page = get("/").body;
  EXPECT_THAT(page, HasSubstr("<a href=\"/api/v1/status\">"));
  EXPECT_THAT(page, HasSubstr("<a href=\"/metrics\">"));
  EXPECT_THAT(page, Not(HasSubstr("href=\"/api/v1/jobs/{id}\"")));
  EXPECT_LT(page.size(), 5000u);
}

// A source that can be asked for details, which counts how often it is.
class RoutesWithDetail : public Routes {
 protected:
  RoutesWithDetail() : Routes([this](std::string_view job) { return ask(job); }) {}

  Result<model::SnapshotPtr> ask(std::string_view job) {
    ++asked_;
    if (wait_) {
      std::unique_lock lock(mutex_);
      waiting_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !wait_; });
    }
    auto s = test::sample_snapshot();
    if (job == "200")
      s.workloads.push_back(test::job(200, "new", model::WorkloadState::kPending, 1));
    if (job == "300") return fail("slurm: there is no job 300");
    for (auto& w : s.workloads) w.detailed = true;
    s.workloads[0].comment = "with details";
    return shared(std::move(s));
  }

  std::atomic<int> asked_ = 0;
  std::atomic<bool> wait_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool waiting_ = false;
};

TEST_F(RoutesWithDetail, DetailsAreAskedForWhenWanted) {
  publish();
  EXPECT_THAT(get("/api/v1/jobs/101?detail=false").body, Not(HasSubstr("with details")));
  EXPECT_EQ(asked_, 0);
  EXPECT_THAT(get("/api/v1/jobs/101").body, HasSubstr("with details"));
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(get("/api/v1/why/103").status, 200);
}

TEST_F(RoutesWithDetail, AJobTooNewForTheSnapshotIsFound) {
  publish();
  EXPECT_THAT(get("/api/v1/why/200").body, HasSubstr("\"id\":\"200\""));
}

TEST_F(RoutesWithDetail, UnknownJobsAreAskedAboutOnceASecond) {
  publish();
  EXPECT_THAT(get("/api/v1/jobs/300").body, HasSubstr("asking for it: slurm: there is no job 300"));
  for (int i = 0; i < 50; ++i) EXPECT_EQ(get("/api/v1/jobs/301").status, 404);
  EXPECT_LE(asked_, 2);
}

TEST_F(RoutesWithDetail, OnlyOneWaitsForASlowScheduler) {
  publish();
  wait_ = true;
  std::thread slow(
      [this] { EXPECT_THAT(get("/api/v1/jobs/101").body, HasSubstr("with details")); });
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_; });
  }
  EXPECT_THAT(get("/api/v1/jobs/101").body, Not(HasSubstr("with details")));
  EXPECT_EQ(asked_, 1);
  {
    std::lock_guard lock(mutex_);
    wait_ = false;
  }
  changed_.notify_all();
  slow.join();
}

TEST(Live, DetailsOfTheSameRoundAreNotAnalysedAnew) {
  Live live;
  auto first = shared(test::sample_snapshot());
  live.publish(first);
  auto before = live.current();
  live.publish(shared(test::sample_snapshot()));
  EXPECT_EQ(live.current(), before);
  auto next = test::sample_snapshot();
  next.sources[0].reads = 7;
  live.publish(shared(std::move(next)));
  EXPECT_NE(live.current(), before);
}

TEST(Live, ReadersKeepWhatTheyHoldWhileItIsReplaced) {
  Live live;
  live.publish(shared(test::sample_snapshot()));
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        auto job = live.find_job("103", true);
        ASSERT_TRUE(job);
        EXPECT_EQ(job->explained->explain(job->records, {}).size(), 1u);
      }
    });
  }
  for (std::uint64_t round = 1; round < 30; ++round) {
    auto s = test::sample_snapshot();
    s.sources[0].reads = round;
    live.publish(shared(std::move(s)));
  }
  done = true;
  for (auto& reader : readers) reader.join();
}

TEST_F(Routes, WithoutADataDirectoryThereIsNoHistory) {
  for (auto what : {"runs", "nodes", "config", "names", "series?series=gpus"}) {
    const auto response = get(std::string("/api/v1/history/") + what);
    EXPECT_EQ(response.status, 404) << what;
    EXPECT_THAT(response.body, HasSubstr("keeps no history"));
  }
}

class HistoryRoutes : public Routes {
 protected:
  HistoryRoutes() {
    auto store = memory::Store::open(dir_, {}, clock_);
    memory::NodeChange change;
    change.time = now_;
    change.node = "n1";
    change.to = "drained";
    (*store)->put(change);
    (*store)->append({{(*store)->series(memory::make_key("gpus")), memory::moment_of(now_), 3}});
    EXPECT_TRUE((*store)->flush(std::chrono::seconds(20)));
    remembered_.emplace(std::move(*memory::Reader::open(dir_)));
    context_.remembered = &*remembered_;
  }
  ~HistoryRoutes() override { std::filesystem::remove_all(dir_); }

  const std::filesystem::path dir_ =
      std::filesystem::temp_directory_path() / ("schedlens_routes_" + std::to_string(getpid()));
  memory::test::SetClock clock_{now_};
  std::optional<Remembered> remembered_;
};

TEST_F(HistoryRoutes, WhatIsRemembered) {
  expect_schema("/api/v1/history/runs", "RunHistory");
  expect_schema("/api/v1/history/nodes", "NodeHistory");
  expect_schema("/api/v1/history/config", "ConfigHistory");
  expect_schema("/api/v1/history/names", "SeriesNames");
  expect_schema("/api/v1/history/series?series=gpus", "SeriesHistory");
  EXPECT_THAT(get("/api/v1/history/nodes?node=n1").body, HasSubstr("\"to\":\"drained\""));
  EXPECT_THAT(get("/api/v1/history/nodes?node=n2").body, HasSubstr("\"changes\":[]"));
  EXPECT_THAT(get("/api/v1/history/series?series=gpus").body, HasSubstr("\"mean\":3"));
}

TEST_F(HistoryRoutes, TheReportOfAWeek) {
  expect_schema("/api/v1/report", "WeekReport");
  EXPECT_EQ(get("/api/v1/report?format=html").content_type, "text/html; charset=utf-8");
  EXPECT_THAT(get("/api/v1/report?format=markdown").body, HasSubstr("## How long jobs waited"));
  EXPECT_EQ(get("/api/v1/report?format=pdf").status, 400);
  EXPECT_EQ(get("/api/v1/report?week=now").status, 400);
}

TEST_F(HistoryRoutes, WrongParametersAreNamed) {
  for (const auto& [target, what] : {std::pair{"runs?since=yesterday", "'since'"},
                                     {"runs?limit=0", "'limit'"},
                                     {"runs?since=20&until=10", "'since' is not before 'until'"},
                                     {"series", "names no metric"},
                                     {"series?series=gpus&step=0", "'step'"},
                                     {"names?series=a%7B", "ends without"}}) {
    const auto response = get(std::string("/api/v1/history/") + target);
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_THAT(response.body, HasSubstr(what)) << target;
  }
}

}  // namespace
}  // namespace schedlens::api
