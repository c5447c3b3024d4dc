// SPDX-License-Identifier: Apache-2.0
#include "memory/compact.h"

#include <gmock/gmock.h>

#include "memory/check.h"
#include "memory/sqlite.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kSeries = 10;
constexpr double kDay = kSeries * 28'680.0;  // the sum of the points of a day: of 0 to 239

class Compact : public StoreDir {
 protected:
  // As a server leaves it that is ended at once: nothing is sealed.
  void fill(int days) {
    auto options = quick();
    options.seal_after = options.tend_interval = std::chrono::hours(1);
    auto store = open(options);
    std::vector<SeriesId> ids;
    for (int i = 0; i < kSeries; ++i) {
      ids.push_back(store->series(make_key("x", {{"i", std::to_string(i + 1)}})));
    }
    for (int day = 0; day < days; ++day) {
      for (int minute = 0; minute < 240; ++minute) {
        for (const auto id : ids) {
          store->append({{id, at(clock_.now(), minute * 60), 1.0 * minute}});
        }
        if (minute % 10 == 0) flush(*store);
      }
      store->put(NodeChange{clock_.now(), "n1", "", "DOWN", "", "", {}, {}});
      flush(*store);
      clock_.advance({86'400});
    }
  }
  StoreOptions no_limits() const {
    StoreOptions options;
    options.raw_days = options.rollup_months = options.record_months = 0;
    return options;
  }
  std::int64_t count(const std::string& file, const std::string& table) const {
    auto database = Database::open(path(file), Database::Access::kRead);
    return (*database)->integer("count", "SELECT count(*) FROM " + table).value_or(-1);
  }
  // Of all points.
  double sum() const {
    double sum = 0;
    const auto all = reader().points({}, kEver);
    for (const auto& series : *all) {
      for (const auto& point : series.points) sum += point.value;
    }
    return sum;
  }
};

TEST_F(Compact, EverythingIsThereAndSmaller) {
  fill(3);
  EXPECT_GE(count("series-2026-12-01.db", "head"), 24);
  auto done = compact(dir_, no_limits(), clock_);
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_THAT(done->set_aside, IsEmpty());
  ASSERT_THAT(done->files, SizeIs(6));  // three days, hours, records, state
  for (const auto& file : done->files) {
    EXPECT_EQ(file.problem, "");
    EXPECT_FALSE(file.dropped);
    EXPECT_GT(file.after, 0U);
  }
  EXPECT_LT(done->files[3].after, done->files[3].before);
  EXPECT_EQ(count("series-2026-12-01.db", "head"), 0);
  EXPECT_EQ(count("series-2026-12-01.db", "chunk"), 2 * kSeries);  // two slots of two hours
  EXPECT_EQ(count("rollup-2026-12.db", "days"), 3);
  EXPECT_EQ(sum(), 3 * kDay);
  EXPECT_THAT(*reader().node_changes({}), SizeIs(3));
  ASSERT_TRUE(
      check_files(dir_, [](const CheckedFile& file) { EXPECT_THAT(file.problems, IsEmpty()); }));
  // Again: nothing is left to do, and a server goes on with it.
  auto again = compact(dir_, no_limits(), clock_);
  ASSERT_TRUE(again);
  for (std::size_t i = 0; i < again->files.size(); ++i) {
    EXPECT_EQ(again->files[i].after, done->files[i].after);
  }
  auto store = open();
  store->append({{store->series(make_key("x")), moment_of(clock_.now()), 5}});
  flush(*store);
  EXPECT_EQ(sum(), 3 * kDay + 5);
}

TEST_F(Compact, WhatIsBeyondTheLimitsIsDroppedOnlyWhenTheyAreGiven) {
  fill(4);
  ASSERT_TRUE(compact(dir_, no_limits(), clock_));
  EXPECT_TRUE(exists("series-2026-12-01.db"));
  auto options = no_limits();
  options.raw_days = 2;
  auto done = compact(dir_, options, clock_);
  ASSERT_TRUE(done);
  std::vector<std::string> dropped;
  for (const auto& file : done->files) {
    if (file.dropped) dropped.push_back(file.path.filename().string());
  }
  // It is the 5th; of the four days that are there two newer ones have to be left.
  EXPECT_THAT(dropped, testing::ElementsAre("series-2026-12-01.db", "series-2026-12-02.db"));
  const auto hours = reader().buckets({"x", {}}, kEver, std::chrono::hours(24));
  ASSERT_THAT(*hours, SizeIs(kSeries));
  EXPECT_THAT((*hours)[0].buckets, SizeIs(4));
}

TEST_F(Compact, NotBesideAServerNorWithoutADirectory) {
  auto none = compact(dir_, no_limits(), clock_);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("No such file or directory"));
  EXPECT_FALSE(std::filesystem::exists(dir_));
  auto store = open();
  auto beside = compact(dir_, no_limits(), clock_);
  ASSERT_FALSE(beside);
  EXPECT_THAT(beside.error().message(), HasSubstr("is written to by process"));
}

TEST_F(Compact, ADamagedFileIsSetAsideAndTheOthersAreDone) {
  fill(2);
  std::ofstream(path("series-2026-12-01.db"), std::ios::trunc) << std::string(9000, 'z');
  auto done = compact(dir_, no_limits(), clock_);
  ASSERT_TRUE(done) << done.error().message();
  ASSERT_THAT(done->set_aside, SizeIs(1));
  EXPECT_THAT(done->set_aside[0].string(), HasSubstr("series-2026-12-01.db.damaged-"));
  EXPECT_EQ(count("series-2026-12-02.db", "head"), 0);
  EXPECT_EQ(sum(), kDay);
}

}  // namespace
}  // namespace schedlens::memory
