// SPDX-License-Identifier: Apache-2.0
#include "report/week.h"

#include <gmock/gmock.h>

#include "memory/store_dir_test.h"
#include "report/sample.h"
#include "report/sections.h"

namespace schedlens::report {
namespace {

using memory::EndedWorkload;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kHour = 3600, kDay = 24 * kHour;

Waits of(std::initializer_list<Wait> waits) {
  Waits all;
  for (const auto& wait : waits) all.add(wait);
  return all;
}

TEST(Waits, WithoutAnybodyWhoGaveUpAsUsual) {
  const auto w = of({{10}, {20}, {30}, {40}});
  EXPECT_EQ(w.mean(), 25);
  EXPECT_EQ(w.quantile(0.5), 20);
  EXPECT_EQ(w.quantile(0.75), 30);
  EXPECT_EQ(w.quantile(1), 40);
  EXPECT_FALSE(Waits().mean());
  EXPECT_FALSE(Waits().quantile(0.5));
}

// Of four, one gave up after 15 s: at 20 s a half of those that still waited has started.
TEST(Waits, ThoseThatGaveUpCountAsWaitingUntilThen) {
  const auto w = of({{10}, {15, false}, {20}, {30}});
  EXPECT_EQ(w.started(), 3U);
  EXPECT_EQ(w.given_up(), 1U);
  EXPECT_EQ(w.mean(), 20);
  // After 10 s 3/4 wait, after 20 s 3/8.
  EXPECT_EQ(w.quantile(0.5), 20);
  EXPECT_EQ(w.quantile(0.25), 10);
  // Most gave up: nobody knows when half would have started.
  EXPECT_FALSE(of({{10}, {20, false}, {30, false}, {40, false}}).quantile(0.5));
}

Section section(const Document& d, const std::string& anchor) {
  for (const auto& s : d.sections) {
    if (s.anchor == anchor) return s;
  }
  ADD_FAILURE() << "no section " << anchor;
  return {};
}

std::vector<std::string> row(const Table& table, const std::string& first) {
  for (const auto& cells : table.rows) {
    if (shown(cells[0]) != first) continue;
    std::vector<std::string> texts;
    for (const auto& cell : cells) texts.push_back(shown(cell));
    return texts;
  }
  ADD_FAILURE() << "no row " << first;
  return {};
}

class WeekTest : public testing::Test {
 protected:
  WeekTest() {
    now_.period = {{1'796'083'200 - kDay}, {1'796'083'200 + 6 * kDay}};
    before_.period = now_.period.before();
  }
  Timestamp at(std::int64_t seconds) const { return now_.period.from + Seconds{seconds}; }
  EndedWorkload run(std::int64_t eligible, std::int64_t started, std::int64_t ended,
                    const std::string& state = "COMPLETED") const {
    EndedWorkload r;
    r.id = "7";
    r.queue = "train";
    r.user = "alice";
    r.state = state;
    r.eligible = at(eligible);
    r.started = at(started);
    r.ended = at(ended);
    r.gpus = 8;
    r.nodes = {"n0"};
    r.last_cause = "capacity";
    return r;
  }
  // A series of one value for some hours.
  void add(Facts& facts, const std::string& metric, memory::Labels labels, std::size_t from,
           std::size_t to, double value, double last_step = 0) {
    Hourly h{memory::make_key(metric, std::move(labels)), {}, {}};
    h.mean.resize(facts.hours());
    h.last.resize(facts.hours());
    for (std::size_t i = from; i < to; ++i) {
      h.mean[i] = value;
      h.last[i] = value + last_step * static_cast<double>(i - from);
    }
    facts.series[metric].push_back(std::move(h));
  }
  Document document() const { return document_of(now_, before_, now_.period.to); }

  Facts now_, before_;
};

TEST_F(WeekTest, WaitsByQueueSizeAndCause) {
  now_.runs = {run(0, 60, 100), run(0, 120, 200), run(0, 600, 700)};
  auto never = run(0, 0, 900, "CANCELLED");
  never.started.reset();
  now_.runs.push_back(never);
  // Started before the week: its wait is not of this week.
  now_.runs.push_back(run(-9000, -8000, 100));
  const auto s = section(document(), "waits");
  EXPECT_THAT(row(s.tables[0], "train"), ElementsAre("train", "3", "1", "4m20s", "2m0s", "?"));
  EXPECT_THAT(row(s.tables[1], "5 to 8 GPUs")[1], "3");
  EXPECT_THAT(row(s.tables[2], "capacity")[1], "3");
}

TEST_F(WeekTest, GpuTimeIsSplitAtTheEndsOfTheWeek) {
  const auto half_outside = run(-2 * kHour, -kHour, kHour);
  EXPECT_EQ(gpu_hours_within(half_outside, now_.period), 8);
  auto never = half_outside;
  never.started.reset();
  EXPECT_FALSE(gpu_hours_within(never, now_.period));
}

TEST_F(WeekTest, UtilisationOfTheHoursThatWereSeen) {
  add(now_, "schedlens_cluster_nodes", {}, 0, 10, 4);
  add(now_, "schedlens_gpus", {{"type", "a"}}, 0, 10, 40);
  add(now_, "schedlens_gpus_used", {{"type", "a"}}, 0, 5, 10);
  add(now_, "schedlens_gpus_used", {{"type", "b"}}, 5, 10, 30);
  const auto d = document();
  EXPECT_THAT(d.notes, Not(IsEmpty()));
  EXPECT_THAT(d.notes[0], HasSubstr("10 of 168 hours have data"));
  const auto s = section(d, "utilisation");
  EXPECT_THAT(row(s.tables[0], "20 to 40 %"), ElementsAre("20 to 40 %", "5.0", "50 %"));
  EXPECT_THAT(row(s.tables[0], "60 to 80 %"), ElementsAre("60 to 80 %", "5.0", "50 %"));
  EXPECT_EQ(s.plots[0].values[0], 0.25);
  EXPECT_FALSE(s.plots[0].values[20]) << "not seen is not zero";
}

TEST_F(WeekTest, CountersThatBeganAnew) {
  add(now_, "schedlens_gpu_seconds_total", {{"state", "stranded"}}, 0, 3, 1000, 3600);
  // A restart in hour 3: what it counted since is all that is known.
  auto& h = now_.series["schedlens_gpu_seconds_total"][0];
  h.last[3] = 720;
  h.last[5] = 720 + 3600;
  EXPECT_EQ(now_.increases("schedlens_gpu_seconds_total", "state")["stranded"],
            2 * 3600 + 720 + 3600);
  EXPECT_THAT(row(section(document(), "gpu-time").tables[0], "stranded"),
              ElementsAre("stranded", "3.2", "100 %", "?"));
}

TEST_F(WeekTest, FailuresByExitUserAndNode) {
  now_.runs = {run(0, 0, kHour, "FAILED"), run(0, 0, kHour, "FAILED"), run(0, 0, kHour),
               run(0, 0, kHour, "CANCELLED")};
  now_.runs[0].exit_code = 1;
  now_.runs[1].exit_code = 1;
  const auto s = section(document(), "failures");
  EXPECT_THAT(s.said, ElementsAre("2 of 4 runs that ended failed."));
  EXPECT_THAT(row(s.tables[0], "FAILED, exit code 1"),
              ElementsAre("FAILED, exit code 1", "2", "16.0"));
  EXPECT_THAT(row(s.tables[1], "alice"), ElementsAre("alice", "2", "16.0", "50 %"));
  EXPECT_THAT(row(s.tables[2], "n0"), ElementsAre("n0", "2", "16.0", "50 %"));
}

TEST_F(WeekTest, NodesThatLeaveServiceAgainAndAgain) {
  auto change = [&](std::int64_t seconds, const char* node, const char* to, const char* reason) {
    now_.node_changes.push_back({at(seconds), node, "", to, reason, "root", {}, 8});
  };
  change(-kDay, "n0", "drained", "ECC");  // since before the week
  change(2 * kHour, "n0", "in service", "");
  change(10 * kHour, "n0", "down", "not responding");
  change(11 * kHour, "n0", "drained", "not responding");  // still the same outage
  change(12 * kHour, "n0", "in service", "");
  change(7 * kDay - kHour, "n1", "drained", "fan");
  const auto s = section(document(), "nodes");
  EXPECT_THAT(row(s.tables[1], "n0"),
              ElementsAre("n0", "2", "4.0", "32.0", "back", "ECC; not responding"));
  EXPECT_THAT(row(s.tables[1], "n1"), ElementsAre("n1", "1", "1.0", "8.0", "out", "fan"));
  EXPECT_EQ(s.tables[2].rows.size(), 1U);
}

TEST_F(WeekTest, ReasonsByWhatTheyCost) {
  add(now_, "schedlens_pending_tasks", {{"class", "capacity"}}, 0, 10, 2);
  add(now_, "schedlens_pending_gpus", {{"class", "capacity"}}, 0, 10, 16);
  add(now_, "schedlens_pending_tasks", {{"class", "limit"}}, 0, 10, 50);
  now_.runs = {run(0, 600, 700)};
  const auto s = section(document(), "reasons");
  EXPECT_THAT(row(s.tables[0], "capacity"),
              ElementsAre("capacity", "160", "20.0", "7 (10m0s)", HasSubstr("hardware")));
  EXPECT_EQ(shown(s.tables[0].rows[1][0]), "limit");
}

TEST_F(WeekTest, WhatChangedWithTheDaysAround) {
  now_.configs = {{at(-kDay), "qos", "1", "normal: Priority=1\n"},
                  {at(2 * kDay), "qos", "2", "normal: Priority=2\n"}};
  for (int i = 0; i < 3; ++i) now_.runs.push_back(run(kDay + i, kDay + i + 100, kDay + 200));
  const auto s = section(document(), "configuration");
  ASSERT_EQ(s.tables[0].rows.size(), 1U);
  const auto& cells = s.tables[0].rows[0];
  EXPECT_EQ(shown(cells[2]), "- normal: Priority=1; + normal: Priority=2");
  EXPECT_EQ(shown(cells[3]), "1m40s");
  EXPECT_EQ(shown(cells[4]), "?");
}

TEST_F(WeekTest, EveryNumberSaysHowItWasFound) {
  const auto d = document();
  for (const auto& s : d.sections) EXPECT_FALSE(s.how.empty()) << s.anchor;
  const auto page = html(d);
  for (const auto& s : d.sections) {
    EXPECT_THAT(page, HasSubstr("href=\"#how-" + s.anchor + "\""));
    EXPECT_THAT(page, HasSubstr("id=\"how-" + s.anchor + "\""));
  }
  EXPECT_THAT(page, Not(HasSubstr("src="))) << "one file";
}

TEST_F(WeekTest, NamesCannotBreakThePage) {
  now_.runs = {run(0, 0, 60, "FAILED")};
  now_.runs[0].user = "<script>|x";
  EXPECT_THAT(html(document()), Not(HasSubstr("<script>")));
  EXPECT_THAT(html(document()), HasSubstr("&lt;script&gt;|x"));
  EXPECT_THAT(markdown(document()), HasSubstr("<script>\\|x"));
}

TEST(Shown, AsPeopleReadIt) {
  EXPECT_EQ(shown({1'002'000.0, Unit::kGpuHours}), "1,002,000");
  EXPECT_EQ(shown({-12'345.5, Unit::kNumber}), "-12,345.5");
  EXPECT_EQ(shown({999.0, Unit::kNumber}), "999");
  EXPECT_EQ(shown({0.045, Unit::kShare}), "4.5 %");
  EXPECT_EQ(shown({3700.0, Unit::kSeconds}), "1h1m");
  EXPECT_EQ(shown({std::nullopt, Unit::kSeconds}), "?");
}

TEST_F(WeekTest, TheWeekBeforeIsNotZeroWhereNobodyLooked) {
  add(now_, "schedlens_cluster_nodes", {}, 0, 168, 4);
  now_.runs = {run(0, 60, 100)};
  const auto started = row(section(document(), "seen").tables[0], "runs that started");
  EXPECT_THAT(started, ElementsAre("runs that started", "1", "?", "-"));
}

TEST(WeekOf, MondayToMonday) {
  const auto week = week_of({1'796'083'200});  // Tuesday 2026-12-01
  EXPECT_EQ(week.length().value, 7 * kDay);
  EXPECT_LE(week.from.unix_seconds, 1'796'083'200);
  EXPECT_GT(week.to.unix_seconds, 1'796'083'200);
  EXPECT_EQ(last_whole_week({1'796'083'200}).to, week.from);
}

class GatherTest : public memory::test::StoreDir {};

TEST_F(GatherTest, FromAStore) {
  const auto week = week_of(memory::test::kDecember);
  {
    auto store = open();
    EndedWorkload r;
    r.id = "1";
    r.scheduler = "slurm";
    r.started = week.from + Seconds{-100};
    r.ended = week.from + Seconds{3500};
    r.state = "COMPLETED";
    r.gpus = 1;
    store->put(r);
    r.id = "2";
    r.ended = week.from + Seconds{-50};  // all of it before
    store->put(r);
    const auto nodes = store->series(memory::make_key("schedlens_cluster_nodes"));
    store->append({{nodes, memory::moment_of(week.from + Seconds{60}), 8}});
    flush(*store);
  }
  auto from = reader();
  const auto facts = gather(from, week);
  ASSERT_TRUE(facts) << facts.error().message();
  ASSERT_EQ(facts->runs.size(), 1U);
  EXPECT_EQ(facts->runs[0].id, "1");
  EXPECT_EQ(facts->hours_seen(), 1U);
  EXPECT_THAT(facts->problems, IsEmpty());
  EXPECT_TRUE(weekly(from, week, week.to));
}

}  // namespace
}  // namespace schedlens::report
