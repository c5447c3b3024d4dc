// SPDX-License-Identifier: Apache-2.0
#include "cli/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/command_line.h"
#include "cli/history_source.h"
#include "memory/store_dir_test.h"

namespace schedlens::cli {
namespace {

using memory::Bucket;
using memory::test::kDecember;
using ::testing::HasSubstr;
using ::testing::Not;

Bucket bucket(std::int64_t ms, double value) {
  Bucket b;
  b.start = {ms};
  b.summary = {1, value, value, value, value, value};
  return b;
}

TEST(SparkLine, FromLeastToMostWithBlanksForWhatIsUnknown) {
  EXPECT_EQ(spark_line({bucket(0, 0), bucket(100, 7), bucket(300, 3.5)}, {{0}, {400}}, 4), "▁█ ▅");
  EXPECT_EQ(spark_line({bucket(0, 5), bucket(100, 5)}, {{0}, {200}}, 2), "▁▁");
  EXPECT_EQ(spark_line({}, {{0}, {200}}, 3), "   ");
  // Two in one place are shown as their mean.
  EXPECT_EQ(spark_line({bucket(0, 0), bucket(10, 8), bucket(100, 8)}, {{0}, {200}}, 2), "▁█");
}

TEST(ParseWhen, AgoAndMoments) {
  const Timestamp now{1'800'000'000};
  EXPECT_EQ(parse_when("2h", now)->unix_seconds, 1'800'000'000 - 7200);
  EXPECT_EQ(parse_when("2026-12-01T00:00:00Z", now), kDecember);
  EXPECT_EQ(parse_when("2026-12-01T00:00Z", now), kDecember);
  EXPECT_EQ(parse_when("2026-12-01Z", now), kDecember);
  EXPECT_TRUE(parse_when("2026-12-01", now));
  for (auto wrong : {"", "yesterday", "2026-13-01", "2026-12-01T25:00", "-3d"}) {
    EXPECT_FALSE(parse_when(wrong, now)) << wrong;
  }
}

TEST(History, HowLongAStateOfANodeLasted) {
  api::HistoryOf<memory::NodeChange> changes;
  auto add = [&](std::int64_t at, const char* node, const char* from, const char* to) {
    changes.records.push_back({kDecember + Seconds{at}, node, from, to, "", "", {}, 8});
  };
  add(0, "n1", "in service", "drained");
  add(60, "n2", "", "down");
  add(3600, "n1", "drained", "in service");
  const auto text = render_node_changes(changes, kDecember + Seconds{7200}, {});
  EXPECT_THAT(text, HasSubstr("n1    in service  drained      1h0m     8"));
  EXPECT_THAT(text, HasSubstr("n2    ?           down        1h59m"));
  EXPECT_THAT(text, HasSubstr("n1    drained     in service   1h0m"));
}

TEST(History, ARunThatNeverBegan) {
  memory::EndedWorkload r;
  r.id = "7";
  r.state = "CANCELLED";
  r.eligible = kDecember;
  r.ended = kDecember + Seconds{90};
  r.gpus = 8;
  r.last_reason = "Resources";
  r.last_cause = "capacity";
  const auto text = render_run(r, {});
  EXPECT_THAT(text, HasSubstr("never, in 1m30s"));
  EXPECT_THAT(text, HasSubstr("asked for   8 GPUs, ? CPUs, ? nodes"));
  EXPECT_THAT(text, HasSubstr("capacity (the scheduler's reason: Resources)"));
  EXPECT_THAT(text, Not(HasSubstr("GPU hours")));
}

TEST(History, WhatCouldNotBeReadIsSaid) {
  api::SeriesNames names;
  names.problems = {"series-2026-12-01.db: damaged"};
  EXPECT_THAT(render_series_names(names, {}),
              HasSubstr("no series has values then\nnot read: series-2026-12-01.db: damaged"));
}

class HistoryCommand : public memory::test::StoreDir {
 protected:
  int run(std::vector<std::string> words) {
    out_.str("");
    err_.str("");
    return cli::run(words, out_, err_);
  }
  std::ostringstream out_, err_;
};

TEST_F(HistoryCommand, BesideAServerThatHasEnded) {
  {
    auto store = open();
    memory::EndedWorkload r;
    r.scheduler = "slurm";
    r.id = "12";
    r.state = "FAILED";
    r.user = "alice";
    r.ended = kDecember;
    store->put(r);
    const auto series = store->series(memory::make_key("gpus", {{"type", "h100"}}));
    store->append({{series, memory::moment_of(kDecember), 3}});
    flush(*store);
  }
  const auto since = "2026-11-30Z", until = "2026-12-02Z";
  EXPECT_EQ(run({"history", "job", "--data-dir", dir_, "--since", since, "--until", until}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("12   alice"));
  EXPECT_EQ(run({"history", "series", "--data-dir", dir_, "--since", since, "--until", until}), 0);
  EXPECT_EQ(out_.str(), "gpus{type=\"h100\"}\n");
  EXPECT_EQ(run({"history", "series", "gpus", "--json", "--data-dir", dir_, "--since", since,
                 "--until", until}),
            0);
  EXPECT_THAT(out_.str(), HasSubstr("\"mean\": 3"));
  EXPECT_EQ(run({"history", "job", "--data-dir", dir_, "--since", until, "--until", since}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("--since is not before --until"));
  EXPECT_EQ(run({"history", "job", "--data-dir", dir_.string() + "/no"}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("/no"));
  EXPECT_EQ(run({"history", "node"}), 2);
  EXPECT_EQ(run({"history"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("history wants one of"));
}

}  // namespace
}  // namespace schedlens::cli
