// SPDX-License-Identifier: Apache-2.0
#include "memory/store.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "memory/schema.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using StoreTest = StoreDir;

std::vector<double> values_of(const SeriesPoints& series) {
  std::vector<double> values;
  for (const auto& point : series.points) values.push_back(point.value);
  return values;
}

std::int64_t count(const std::filesystem::path& file, const std::string& table) {
  auto database = Database::open(file, Database::Access::kRead);
  if (!database) return -1;
  return (*database)->integer("count", "SELECT count(*) FROM " + table).value_or(-1);
}

TEST_F(StoreTest, PointsComeBackBySeriesAndTime) {
  auto store = open();
  const auto a = store->series(make_key("gpus", {{"queue", "train"}}));
  const auto b = store->series(make_key("gpus", {{"queue", "debug"}}));
  EXPECT_EQ(store->series(make_key("gpus", {{"queue", "train"}})), a);
  EXPECT_TRUE(store->append({{a, at(kDecember, 0), 1}, {b, at(kDecember, 0), 7}}));
  EXPECT_TRUE(store->append({{a, at(kDecember, 60), 2}, {a, at(kDecember, 120), 3}}));
  flush(*store);
  auto reader = this->reader();
  auto all = reader.points({"gpus", {}}, kEver);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(series_text((*all)[0].key), R"(gpus{queue="debug"})");
  EXPECT_THAT(values_of((*all)[1]), ElementsAre(1, 2, 3));
  auto some =
      reader.points({"gpus", {{"queue", "train"}}}, {at(kDecember, 60), at(kDecember, 120)});
  ASSERT_TRUE(some);
  ASSERT_EQ(some->size(), 1U);
  EXPECT_THAT(values_of((*some)[0]), ElementsAre(2));
  // No point is no series, and nothing is zero that was not stored.
  EXPECT_THAT(*reader.points({"cpus", {}}, kEver), IsEmpty());
  EXPECT_THAT(*reader.points({}, {at(kDecember, 121), at(kDecember, 9999)}), IsEmpty());
  EXPECT_EQ(reader.series({}, kEver)->size(), 2U);
  EXPECT_THAT(reader.take_problems(), IsEmpty());
}

TEST_F(StoreTest, EveryValueSurvivesSealing) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values = {
      0.0,       -0.0,          Limits::quiet_NaN(), INFINITY,
      -INFINITY, Limits::max(), Limits::lowest(),    Limits::denorm_min(),
      -1.5,      1e-9};
  auto store = open();
  const auto id = store->series(make_key("odd"));
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < values.size(); ++i) {
    samples.push_back({id, at(kDecember, static_cast<std::int64_t>(i)), values[i]});
  }
  store->append(samples);
  flush(*store);
  const auto expect_all = [&] {
    auto back = reader().points({"odd", {}}, kEver);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), 1U);
    ASSERT_EQ((*back)[0].points.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>((*back)[0].points[i].value),
                std::bit_cast<std::uint64_t>(values[i]));
    }
  };
  expect_all();
  clock_.advance({3 * 3600});  // the slot is over
  ASSERT_TRUE(eventually([&] { return count(path("series-2026-12-01.db"), "head") == 0; }));
  EXPECT_EQ(count(path("series-2026-12-01.db"), "chunk"), 1);
  expect_all();
}

// The one rule for points that come late or twice: any order, and the last one written counts.
TEST_F(StoreTest, LateAndRepeatedPoints) {
  auto store = open();
  const auto id = store->series(make_key("x"));
  store->append(
      {{id, at(kDecember, 120), 3}, {id, at(kDecember, 0), 1}, {id, at(kDecember, 0), 2}});
  flush(*store);
  clock_.advance({3 * 3600});
  const auto file = path("series-2026-12-01.db");
  ASSERT_TRUE(eventually([&] { return count(file, "head") == 0; }));
  const auto now = [&] {
    auto points = reader().points({"x", {}}, kEver);
    return points && !points->empty() ? values_of((*points)[0]) : std::vector<double>();
  };
  EXPECT_THAT(now(), ElementsAre(2, 3));
  // Into the chunk that is there: between its points, and over one of them. The store is stopped so
  // that the points are still in the head when they are read.
  store.reset();
  auto options = quick();
  options.seal_after = hours(1);
  store = open(options);
  const auto again = store->series(make_key("x"));
  store->append({{again, at(kDecember, 60), 9}, {again, at(kDecember, 120), 4}});
  flush(*store);
  EXPECT_EQ(count(file, "head"), 1);
  EXPECT_THAT(now(), ElementsAre(2, 9, 4));
  auto buckets = reader().buckets({"x", {}}, kEver, hours(1));
  ASSERT_EQ(buckets->size(), 1U);
  EXPECT_EQ((*buckets)[0].buckets[0].summary.n, 3U);
  EXPECT_EQ((*buckets)[0].buckets[0].summary.sum, 15);
  EXPECT_EQ((*buckets)[0].buckets[0].summary.last, 4);
  store.reset();
  store = open();
  // A day that is begun is looked at when points come, or when it is over.
  store->append({{store->series(make_key("y")), at(kDecember, 0), 0}});
  ASSERT_TRUE(eventually([&] { return count(file, "head") == 0; }));
  EXPECT_THAT(now(), ElementsAre(2, 9, 4));
  EXPECT_EQ(count(file, "chunk"), 2);
  buckets = reader().buckets({"x", {}}, kEver, hours(1));
  EXPECT_EQ((*buckets)[0].buckets[0].summary.sum, 15);
}

// Against a plain map: random points, random order, seals at random moments.
TEST_F(StoreTest, RandomPointsAgreeWithAMap) {
  std::mt19937_64 random(5);
  auto store = open();
  std::vector<SeriesId> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(store->series(make_key("s", {{"i", std::to_string(i)}})));
  std::map<std::pair<std::uint32_t, Moment>, double> expected;
  for (int round = 0; round < 60; ++round) {
    std::vector<Sample> samples;
    for (auto n = random() % 400; n > 0; --n) {
      const Sample sample{
          ids[random() % 4],
          {kDecember.unix_seconds * 1000 + static_cast<std::int64_t>(random() % 200) * 997'000},
          static_cast<double>(random() % 1000) / 10};
      samples.push_back(sample);
      expected[{sample.series.index, sample.time}] = sample.value;
    }
    store->append(samples);
    if (round % 3 == 0) flush(*store);
    clock_.advance({static_cast<std::int64_t>(random() % 7200)});
    if (round % 17 == 0) {
      store.reset();
      store = open();
      for (int i = 0; i < 4; ++i) {
        ids[static_cast<std::size_t>(i)] = store->series(make_key("s", {{"i", std::to_string(i)}}));
      }
    }
    ASSERT_EQ(ids[3].index, 3U);  // the same after each start, as the series are asked for in order
  }
  flush(*store);
  auto reader = this->reader();
  const auto compare = [&] {
    auto all = reader.points({"s", {}}, kEver);
    ASSERT_TRUE(all);
    std::size_t seen = 0;
    for (const auto& series : *all) {
      const auto index = static_cast<std::uint32_t>(std::stoi(std::string(series.key.label("i"))));
      for (const auto& point : series.points) {
        const auto place = expected.find({index, point.time});
        ASSERT_NE(place, expected.end());
        ASSERT_EQ(place->second, point.value);
        ++seen;
      }
    }
    ASSERT_EQ(seen, expected.size());
  };
  compare();
  for (const auto width : {hours(1), hours(5), hours(24)}) {
    auto buckets = reader.buckets({"s", {}}, kEver, width);
    std::map<std::pair<std::uint32_t, std::int64_t>, Summary> sums;
    for (const auto& [key, value] : expected) {
      const std::vector<Point> one = {{key.second, value}};
      const auto ms = std::chrono::milliseconds(width).count();
      sums[{key.first, key.second.unix_ms / ms * ms}].add_later(summarise(one));
    }
    std::size_t seen = 0;
    for (const auto& series : *buckets) {
      const auto index = static_cast<std::uint32_t>(std::stoi(std::string(series.key.label("i"))));
      for (const auto& bucket : series.buckets) {
        const auto& sum = sums.at({index, bucket.start.unix_ms});
        EXPECT_EQ(bucket.summary.n, sum.n);
        EXPECT_NEAR(bucket.summary.sum, sum.sum, 1e-6);
        EXPECT_EQ(bucket.summary.min, sum.min);
        EXPECT_EQ(bucket.summary.max, sum.max);
        EXPECT_EQ(bucket.summary.last, sum.last);
        ++seen;
      }
    }
    EXPECT_EQ(seen, sums.size());
  }
  EXPECT_THAT(reader.take_problems(), IsEmpty());
}

TEST_F(StoreTest, DaysThatAreOverAreRolledUpAndDropped) {
  auto options = quick();
  options.raw_days = 2;
  auto store = open(options);
  const auto id = store->series(make_key("load", {{"node", "n1"}}));
  for (int day = 0; day < 4; ++day) {
    std::vector<Sample> samples;
    for (int minute = 0; minute < 1440; ++minute) {
      const int hour = minute / 60;
      if (hour == 5) continue;  // an hour without points
      samples.push_back({id, at(clock_.now(), minute * 60), day * 100.0 + hour + 0.1});
    }
    store->append(samples);
    flush(*store);
    clock_.advance({86400});
  }
  store->append({{id, at(clock_.now(), 0), 5}});
  flush(*store);
  ASSERT_TRUE(eventually([&] { return !exists("series-2026-12-03.db"); }));
  EXPECT_FALSE(exists("series-2026-12-01.db"));
  EXPECT_TRUE(exists("series-2026-12-04.db"));
  EXPECT_TRUE(exists("series-2026-12-05.db"));
  EXPECT_TRUE(exists("rollup-2026-12.db"));

  auto reader = this->reader();
  EXPECT_THAT(*reader.points({"load", {}}, {at(kDecember, 0), at(kDecember, 86400)}), IsEmpty());
  auto day = reader.buckets({"load", {}}, {at(kDecember, 0), at(kDecember, 86400)}, hours(1));
  ASSERT_EQ(day->size(), 1U);
  ASSERT_EQ((*day)[0].buckets.size(), 23U);
  EXPECT_EQ((*day)[0].buckets[0].summary.n, 60U);
  EXPECT_DOUBLE_EQ((*day)[0].buckets[0].summary.sum, 6);
  EXPECT_EQ((*day)[0].buckets[5].start, at(kDecember, 6 * 3600));
  EXPECT_EQ((*day)[0].buckets[5].summary.max, 6.1);
  auto week = reader.buckets({"load", {}}, kEver, hours(24));
  ASSERT_EQ((*week)[0].buckets.size(), 5U);
  EXPECT_EQ((*week)[0].buckets[2].summary.n, 1380U);
  EXPECT_EQ((*week)[0].buckets[3].summary.last, 323.1);
  EXPECT_EQ((*week)[0].buckets[4].summary.last, 5);
  EXPECT_EQ(reader.series({}, {at(kDecember, 0), at(kDecember, 60)})->size(), 1U);

  // A point of a day whose points are gone would overwrite its hours.
  EXPECT_TRUE(store->append({{id, at(kDecember, 0), 1}}));
  flush(*store);
  EXPECT_EQ(store->health().dropped_points, 1U);
  EXPECT_FALSE(exists("series-2026-12-01.db"));
}

TEST_F(StoreTest, LatePointsOfADayThatIsRolledUpAreRolledUpAgain) {
  auto store = open();
  const auto id = store->series(make_key("x"));
  store->append({{id, at(kDecember, 0), 1}});
  flush(*store);
  clock_.advance({86400 + 3600});
  ASSERT_TRUE(eventually([&] { return count(path("rollup-2026-12.db"), "days") == 1; }));
  store->append({{id, at(kDecember, 60), 2}});
  flush(*store);
  ASSERT_TRUE(eventually([&] {
    auto hours_rows = Database::open(path("rollup-2026-12.db"), Database::Access::kRead);
    auto rows = (*hours_rows)->prepare("read", "SELECT points FROM hours");
    if (!rows || !rows->step().value_or(false)) return false;
    auto decoded = decode_hours(rows->text(0));
    return decoded && (*decoded)[0].n == 2;
  }));
  auto buckets = reader().buckets({"x", {}}, kEver, hours(1));
  EXPECT_EQ((*buckets)[0].buckets[0].summary.sum, 3);
}

TEST_F(StoreTest, AClockThatJumps) {
  auto options = quick();
  options.raw_days = 3;
  auto store = open(options);
  const auto id = store->series(make_key("x"));
  const auto write = [&](double value) {
    store->append({{id, moment_of(clock_.now()), value}});
    flush(*store);
  };
  write(1);
  clock_.set({kDecember.unix_seconds + 10 * 365 * 86400});  // ahead by ten years
  write(2);
  clock_.set({kDecember.unix_seconds - 7200});  // back beyond where it began
  write(3);
  clock_.set({kDecember.unix_seconds + 7200});
  write(4);
  EXPECT_TRUE(store->health().ok);
  auto points = reader().points({"x", {}}, kEver);
  ASSERT_EQ(points->size(), 1U);
  EXPECT_THAT(values_of((*points)[0]), ElementsAre(3, 1, 4, 2));
  // What cannot be a time is refused, and told.
  EXPECT_FALSE(store->append({{id, {-1}, 0}, {id, kEndOfTime, 0}, {id, at(kDecember, 9), 5}}));
  EXPECT_EQ(store->health().dropped_points, 2U);
}

TEST_F(StoreTest, AJumpAheadDoesNotDropWhatIsKept) {
  auto options = quick();
  options.raw_days = 2;
  auto store = open(options);
  const auto id = store->series(make_key("x"));
  for (int i = 0; i < 2; ++i) {
    store->append({{id, moment_of(clock_.now()), 1}});
    flush(*store);
    clock_.advance({86400});
  }
  clock_.advance({400 * 86400});
  ASSERT_TRUE(eventually([&] { return count(path("rollup-2026-12.db"), "days") == 2; }));
  store->append({});
  flush(*store);
  EXPECT_TRUE(exists("series-2026-12-01.db"));
  EXPECT_TRUE(exists("series-2026-12-02.db"));
}

TEST_F(StoreTest, TheOldestGoWhenAllIsTooLarge) {
  std::mt19937_64 random(6);
  auto options = quick();
  options.max_bytes = 2'000'000;
  auto store = open(options);
  const auto id = store->series(make_key("noise"));
  for (int day = 0; day < 6; ++day) {
    std::vector<Sample> samples;
    for (int i = 0; i < 60'000; ++i) {
      samples.push_back({id, at(clock_.now(), i), static_cast<double>(random()) / 3});
    }
    store->append(samples);
    flush(*store);
    clock_.advance({86400});
  }
  ASSERT_TRUE(eventually(
      [&] { return !exists("series-2026-12-01.db") && !exists("series-2026-12-03.db"); }));
  EXPECT_TRUE(exists("series-2026-12-06.db"));
  EXPECT_TRUE(exists("rollup-2026-12.db"));
}

TEST_F(StoreTest, OnlyOneWrites) {
  auto store = open();
  auto second = Store::open(dir_, {}, clock_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("is written to by process"));
  store.reset();
  EXPECT_TRUE(Store::open(dir_, {}, clock_));
}

TEST_F(StoreTest, StatesSurvive) {
  {
    auto store = open();
    store->set_state("alerts/a", "firing");
    store->set_state("alerts/b", "ok");
    store->set_state("seen", "12");
    store->set_state("alerts/b", std::nullopt);
    store->set_state("seen", "13");
  }  // what was handed over is written at the end
  auto reader = this->reader();
  EXPECT_EQ(*reader.state("seen"), "13");
  EXPECT_EQ(*reader.state("alerts/b"), std::nullopt);
  auto alerts = reader.states("alerts/");
  ASSERT_EQ(alerts->size(), 1U);
  EXPECT_EQ((*alerts)[0].value, "firing");
  EXPECT_EQ((*alerts)[0].written, kDecember);
}

TEST_F(StoreTest, ReadingBesideWriting) {
  auto store = open();
  const auto id = store->series(make_key("x"));
  std::thread writer([&] {
    for (int i = 0; i < 2000; ++i) {
      store->append({{id, at(kDecember, i * 30), 1}});
      if (i % 60 == 0) clock_.advance({1800});
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    flush(*store);
  });
  auto reader = this->reader();
  std::size_t before = 0;
  while (before < 2000 && !HasFailure()) {
    auto points = reader.points({"x", {}}, kEver);
    ASSERT_TRUE(points);
    const auto now = points->empty() ? 0 : (*points)[0].points.size();
    EXPECT_GE(now, before);  // nothing is ever missing between head and chunk
    before = now;
  }
  writer.join();
  EXPECT_THAT(reader.take_problems(), IsEmpty());
}

TEST_F(StoreTest, NoDirectoryIsAnError) {
  auto reader = Reader::open(dir_);
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().message(), HasSubstr("No such file or directory"));
  std::ofstream(dir_.string()) << "a file";
  EXPECT_FALSE(Store::open(dir_, {}, clock_));
  std::filesystem::remove(dir_);
}

}  // namespace
}  // namespace schedlens::memory
