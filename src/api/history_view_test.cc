// SPDX-License-Identifier: Apache-2.0
#include "api/history_view.h"

#include <gmock/gmock.h>

#include <cmath>

#include "api/history_query.h"
#include "api/openapi.h"
#include "api/schema_check_test.h"
#include "memory/store_dir_test.h"

namespace schedlens::api {
namespace {

using memory::EndedWorkload;
using memory::test::kDecember;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class History>
std::string text_of(const History& history) {
  JsonWriter json;
  write_history(json, history);
  return json.take();
}

EndedWorkload run(std::string id, std::string state, std::int64_t ended) {
  EndedWorkload r;
  r.scheduler = "slurm";
  r.id = std::move(id);
  r.state = std::move(state);
  r.ended = kDecember + Seconds{ended};
  return r;
}

TEST(HistoryView, WhatIsWrittenIsReadBack) {
  HistoryOf<EndedWorkload> runs;
  auto r = run("7_3", "FAILED", 60);
  r.array_job = 7;
  r.user = "alice";
  r.started = kDecember;
  r.time_limit = Seconds{3600};
  r.exit_code = 1;
  r.gpus = 16;
  r.gpu_seconds = 960.5;
  r.nodes = {"n0", "n1"};
  r.last_cause = "capacity";
  runs.records = {r, run("8", "COMPLETED", 61)};
  runs.more = true;
  runs.problems = {"records-2026-11.db: damaged"};
  const auto text = text_of(runs);
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("RunHistory", text), IsEmpty());
  const auto back = read_run_history(text);
  ASSERT_TRUE(back);
  ASSERT_THAT(back->records, SizeIs(2));
  const auto& b = back->records[0];
  EXPECT_EQ(b.id, "7_3");
  EXPECT_EQ(b.array_job, 7);
  EXPECT_EQ(b.started, kDecember);
  EXPECT_EQ(b.time_limit, Seconds{3600});
  EXPECT_EQ(b.gpu_seconds, 960.5);
  EXPECT_THAT(b.nodes, ElementsAre("n0", "n1"));
  EXPECT_FALSE(back->records[1].started) << "not known, and not zero";
  EXPECT_FALSE(back->records[1].gpus);
  EXPECT_TRUE(back->more);
  EXPECT_THAT(back->problems, ElementsAre("records-2026-11.db: damaged"));
  EXPECT_EQ(text_of(*back), text);
}

TEST(HistoryView, SeriesWithWhatJsonCannotSay) {
  SeriesHistory history;
  history.step = std::chrono::minutes(5);
  memory::Bucket bucket;
  bucket.start = memory::moment_of(kDecember);
  bucket.summary = {2, 7, 3, 4, 3, 4};
  memory::Bucket nothing;
  nothing.start = {bucket.start.unix_ms + 300'000};
  history.series = {{memory::make_key("gpus", {{"type", "a\"b"}}), {bucket, nothing}}};
  const auto text = text_of(history);
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("SeriesHistory", text), IsEmpty());
  const auto back = read_series_history(text);
  ASSERT_TRUE(back);
  ASSERT_THAT(back->series, SizeIs(1));
  EXPECT_EQ(back->series[0].key, history.series[0].key);
  EXPECT_EQ(back->step, history.step);
  EXPECT_EQ(back->series[0].buckets[0].summary.mean(), 3.5);
  EXPECT_TRUE(std::isnan(back->series[0].buckets[1].summary.mean()));
  EXPECT_EQ(text_of(*back), text);
}

TEST(HistoryView, OtherDocumentsAreRefused) {
  EXPECT_THAT(read_run_history("{}").error().message(), HasSubstr("no list 'runs'"));
  EXPECT_THAT(read_series_names("<html>").error().message(), HasSubstr("no JSON"));
}

TEST(HistoryQuery, NamesOfSeries) {
  EXPECT_EQ(parse_series("gpus")->name, "gpus");
  EXPECT_EQ(parse_series("gpus{type=\"a\",x=\"b c\"}")->labels,
            (memory::Labels{{"type", "a"}, {"x", "b c"}}));
  EXPECT_EQ(parse_series("")->name, "");
  for (auto wrong : {"gpus{", "gpus{type=a}", "gpus{type}"}) {
    EXPECT_FALSE(parse_series(wrong)) << wrong;
  }
}

TEST(HistoryQuery, AStepThatFits) {
  using namespace std::chrono_literals;
  auto step = [](std::int64_t hours) { return step_for({{0}, {hours * 3'600'000}}); };
  EXPECT_EQ(step(1), 1min);
  EXPECT_EQ(step(24), 15min);
  EXPECT_EQ(step(7 * 24), 1h);
  EXPECT_EQ(step(365 * 24), 168h);
}

class HistoryAsked : public memory::test::StoreDir {
 protected:
  void keep(memory::Record record) {
    ASSERT_TRUE(store_->put(std::move(record)));
    flush(*store_);
  }
  void SetUp() override {
    StoreDir::SetUp();
    store_ = open();
  }
  void TearDown() override {
    store_.reset();
    StoreDir::TearDown();
  }
  std::vector<std::string> ids(const RunQuestion& question) {
    auto from = reader();
    std::vector<std::string> found;
    const auto runs = ask(from, question);
    for (const auto& r : runs->records) found.push_back(r.id);
    return found;
  }
  std::unique_ptr<memory::Store> store_;
};

TEST_F(HistoryAsked, AJobWithItsTasksAndParts) {
  std::int64_t at = 0;
  for (auto id : {"7", "7_1", "7+2", "77", "train/7", "train/web-0"}) {
    keep(run(id, "COMPLETED", ++at));
  }
  EXPECT_THAT(ids({.id = "7"}), ElementsAre("7", "7_1", "7+2", "train/7"));
  EXPECT_THAT(ids({.id = "7_1"}), ElementsAre("7_1"));
  EXPECT_THAT(ids({.id = "web-0"}), ElementsAre("train/web-0"));
  EXPECT_THAT(ids({.id = "train/web-0"}), ElementsAre("train/web-0"));
}

TEST_F(HistoryAsked, TheNewestOfMany) {
  for (int i = 1; i <= 5; ++i) keep(run(std::to_string(i), i == 2 ? "FAILED" : "COMPLETED", i));
  auto from = reader();
  const auto newest = *ask(from, RunQuestion{.limit = 2});
  EXPECT_TRUE(newest.more);
  EXPECT_EQ(newest.records[0].id, "4");
  EXPECT_THAT(ids({.state = "failed"}), ElementsAre("2"));
}

TEST_F(HistoryAsked, AConfigurationAgainstTheOneBefore) {
  keep(memory::ConfigVersion{kDecember, "qos", "1", "normal: Priority=1\n"});
  keep(memory::ConfigVersion{kDecember + Seconds{60}, "partitions", "2", "train: State=UP\n"});
  keep(memory::ConfigVersion{kDecember + Seconds{90}, "qos", "3", "normal: Priority=2\n"});
  auto from = reader();
  // The one before is not in the time asked for.
  const auto late = *config_history(from, {memory::moment_of(kDecember + Seconds{70})});
  ASSERT_THAT(late.records, SizeIs(1));
  EXPECT_FALSE(late.records[0].first);
  EXPECT_THAT(late.records[0].changes, ElementsAre("- normal: Priority=1", "+ normal: Priority=2"));
  EXPECT_THAT(test::SchemaCheck(openapi_json("1")).check("ConfigHistory", text_of(late)),
              IsEmpty());
  EXPECT_TRUE(config_history(from, {})->records[0].first);
}

}  // namespace
}  // namespace schedlens::api
