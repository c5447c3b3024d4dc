// SPDX-License-Identifier: Apache-2.0
#include "memory/check.h"

#include <gmock/gmock.h>

#include "memory/sqlite.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Check : public StoreDir {
 protected:
  // Two days: one rolled up, one of which the points are still blocks.
  void fill() {
    auto store = open();
    const auto a = store->series(make_key("a")), b = store->series(make_key("b"));
    for (int minute = 0; minute < 300; ++minute) {
      store->append({{a, at(kDecember, minute * 60), minute * 0.1}, {b, at(kDecember, minute), 1}});
    }
    store->put(NodeChange{kDecember, "n1", "", "DOWN", "", "", {}, {}});
    store->put(Finding{kDecember, {}, "starvation", "7", "waits"});
    store->set_state("k", "v");
    flush(*store);
    clock_.advance({90'000});
    ASSERT_TRUE(eventually([&] {
      auto rollup = Database::open(path("rollup-2026-12.db"), Database::Access::kRead);
      return rollup && (*rollup)->integer("count", "SELECT count(*) FROM days").value_or(0) == 1;
    }));
    store.reset();
    auto options = quick();
    options.seal_after = std::chrono::hours(1);
    store = open(options);
    store->append({{store->series(make_key("b")), at(kDecember, 90'000), 1}});
    flush(*store);
  }

  std::vector<CheckedFile> check() const {
    std::vector<CheckedFile> files;
    EXPECT_TRUE(check_files(dir_, [&](const CheckedFile& file) { files.push_back(file); }));
    return files;
  }
  // All problems, after this was done to the file.
  std::vector<std::string> after(const std::string& file, const std::string& sql) {
    {
      auto database = Database::open(path(file), Database::Access::kWrite);
      const auto done = (*database)->execute("test", sql);
      EXPECT_TRUE(done) << done.error().message();
    }
    std::vector<std::string> problems;
    for (const auto& checked : check()) {
      for (const auto& problem : checked.problems) {
        EXPECT_THAT(problem, HasSubstr(path(file).string() + ": "));
        problems.push_back(problem);
      }
    }
    return problems;
  }
};

TEST_F(Check, AWholeDirectoryIsCounted) {
  fill();
  std::vector<std::string> lines;
  for (const auto& file : check()) {
    EXPECT_THAT(file.problems, IsEmpty());
    EXPECT_GT(file.file.bytes, 0U);
    lines.push_back(
        fmt::format("{} {} {}", file.file.path.filename().string(), file.series, file.entries));
  }
  EXPECT_THAT(lines, ElementsAre("state.db 0 1", "records-2026-12.db 0 2", "rollup-2026-12.db 2 2",
                                 "series-2026-12-01.db 2 600", "series-2026-12-02.db 1 1"));
}

TEST_F(Check, WhatSqliteCannotKnowToBeWrongIsFound) {
  const std::string day = "series-2026-12-01.db", next = "series-2026-12-02.db";
  const std::string rollup = "rollup-2026-12.db", records = "records-2026-12.db";
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {day, "UPDATE chunk SET points = x'05' WHERE key = (SELECT max(key) FROM chunk)", "damaged"},
      {day, "UPDATE chunk SET sum = sum + 1 WHERE key = (SELECT min(key) FROM chunk)", "sums"},
      {day, "UPDATE chunk SET start = start - 1 WHERE key = (SELECT max(key) FROM chunk)",
       "its times"},
      {day,
       "INSERT INTO chunk SELECT key + 99, start, until, n, sum, min, max, first, last, points"
       " FROM chunk WHERE key = (SELECT max(key) FROM chunk)",
       "overlap"},
      {day, "DELETE FROM series WHERE id = 2", "no such series"},
      {day, "DELETE FROM series WHERE id = 1", "read the series: a row is damaged"},
      {next, "UPDATE head SET n = 2", "do not belong there"},
      {next, "UPDATE head SET points = x'010203'", "damaged block"},
      {rollup, "UPDATE hours SET points = x'ffff' WHERE key = (SELECT max(key) FROM hours)",
       "damaged hours"},
      {rollup, "UPDATE hours SET key = 5 WHERE key = (SELECT max(key) FROM hours)",
       "do not belong there"},
      {records, "UPDATE finding SET begins = 7", "1 finding records are of another month"},
      {records, "PRAGMA user_version=9", "newer schedlens (format 9"}};
  for (const auto& [file, sql, words] : cases) {
    std::filesystem::remove_all(dir_);
    clock_.set(kDecember);
    fill();
    if (HasFailure()) return;
    const auto problems = after(file, sql);
    ASSERT_FALSE(problems.empty()) << sql;
    EXPECT_THAT(problems[0], HasSubstr(words)) << sql;
  }
}

TEST_F(Check, APageThatIsTornIsFoundAndTheOtherFilesAreReadOn) {
  fill();
  {
    std::fstream file(path("series-2026-12-01.db"),
                      std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(2 * 4096 + 100);  // the second holds nothing but the places of the others
    file << std::string(6000, '\xee');
  }
  int whole = 0, damaged = 0;
  for (const auto& file : check()) (file.problems.empty() ? whole : damaged)++;
  EXPECT_EQ(whole, 4);
  EXPECT_EQ(damaged, 1);
}

TEST_F(Check, NoDirectoryIsAnError) {
  EXPECT_FALSE(check_files(dir_, [](const CheckedFile&) {}));
}

}  // namespace
}  // namespace schedlens::memory
