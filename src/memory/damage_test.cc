// SPDX-License-Identifier: Apache-2.0
// Files with torn pages, random bytes or an end that is missing.

#include <gmock/gmock.h>

#include <fstream>
#include <random>

#include "memory/schema.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Damage : public StoreDir {
 protected:
  // Some days of points and records, each in every form there is.
  void fill() {
    auto store = open();
    std::vector<SeriesId> ids;
    for (int i = 0; i < 40; ++i)
      ids.push_back(store->series(make_key("load", {{"i", std::to_string(i)}})));
    for (int hour = 0; hour < 30; ++hour) {
      std::vector<Sample> samples;
      for (int minute = 0; minute < 60; minute += 5) {
        for (const auto id : ids)
          samples.push_back({id, at(clock_.now(), minute * 60), 0.1 * minute + id.index});
      }
      store->append(samples);
      store->put(NodeChange{
          clock_.now(), "n" + std::to_string(hour), "IDLE", "DOWN", "a reason", "root", {}, 8});
      store->set_state("key" + std::to_string(hour), std::string(200, 'x'));
      flush(*store);
      clock_.advance({3600});
    }
    ASSERT_TRUE(eventually([&] {
      auto rollup = Database::open(path("rollup-2026-12.db"), Database::Access::kRead);
      return rollup && (*rollup)->integer("count", "SELECT count(*) FROM days").value_or(0) == 1;
    }));
  }

  void read_everything() {
    auto reader = this->reader();
    EXPECT_TRUE(reader.points({}, kEver));
    EXPECT_TRUE(reader.buckets({}, kEver, std::chrono::hours(1)));
    EXPECT_TRUE(reader.buckets({"load", {{"i", "7"}}}, kEver, std::chrono::minutes(7)));
    EXPECT_TRUE(reader.node_changes({}));
    EXPECT_TRUE(reader.workloads({}));
    EXPECT_TRUE(reader.states(""));
    EXPECT_TRUE(reader.series({}, kEver));
    problems_ = reader.take_problems();
  }

  std::vector<std::string> problems_;
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void replace(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_F(Damage, ATrashedFileIsSetAsideAndTheRestGoesOn) {
  fill();
  const auto file = path("records-2026-12.db");
  replace(file, std::string(50'000, 'z'));
  read_everything();
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_THAT(problems_[0], HasSubstr("records-2026-12.db"));
  EXPECT_THAT(problems_[0], HasSubstr("file is not a database"));
  EXPECT_EQ(reader().points({"load", {}}, kEver)->size(), 40U);

  auto store = open();
  EXPECT_EQ(store->health().files_set_aside, 1U);
  ASSERT_THAT(set_aside_files(dir_), SizeIs(1));
  EXPECT_EQ(contents(set_aside_files(dir_)[0]).size(), 50'000U);
  store->put(NodeChange{clock_.now(), "n1", "", "DOWN", "", "", {}, {}});
  flush(*store);
  read_everything();
  EXPECT_THAT(problems_, IsEmpty());
  EXPECT_EQ(reader().node_changes({})->size(), 1U);
}

// Files are damaged while the server runs, all of the one and all but the first page of the other.
TEST_F(Damage, WhileTheServerRuns) {
  fill();
  auto store = open();
  replace(path("records-2026-12.db"), std::string(20'000, 'z'));
  const auto series = contents(path("series-2026-12-02.db"));
  replace(path("series-2026-12-02.db"),
          series.substr(0, 4096) + std::string(series.size() - 4096, '\xee'));
  store->put(NodeChange{clock_.now(), "after", "", "DOWN", "", "", {}, {}});
  store->append({{store->series(make_key("after")), moment_of(clock_.now()), 5}});
  flush(*store);
  EXPECT_TRUE(store->health().ok);
  EXPECT_TRUE(eventually([&] { return store->health().files_set_aside == 2; }));
  auto reader = this->reader();
  EXPECT_EQ(reader.node_changes({})->size(), 1U);
  EXPECT_EQ(reader.points({"after", {}}, kEver)->size(), 1U);
  EXPECT_EQ(reader.points({"load", {}}, kEver)->size(), 40U);  // of the other day
  EXPECT_THAT(reader.take_problems(), IsEmpty());
}

// Whatever is damaged: nobody crashes, what cannot be read is told, and writing goes on.
TEST_F(Damage, AtRandomPlaces) {
  fill();
  std::map<std::string, std::string> whole;
  const auto files = list_files(dir_);
  for (const auto& file : *files) whole[file.path.filename()] = contents(file.path);
  ASSERT_EQ(whole.size(), 5U);  // two days, roll-up, records, state
  std::mt19937_64 random(8);
  int told = 0, aside = 0;
  for (int round = 0; round < 120; ++round) {
    std::filesystem::remove_all(dir_);
    std::filesystem::create_directory(dir_);
    for (const auto& [name, bytes] : whole) replace(path(name), bytes);
    auto victim = std::next(whole.begin(), static_cast<std::ptrdiff_t>(random() % whole.size()));
    auto bytes = victim->second;
    const auto page = random() % (bytes.size() / 4096) * 4096;
    switch (random() % 4) {
      case 0:  // an end is missing
        bytes.resize(random() % bytes.size());
        break;
      case 1:  // a page of zeros
        bytes.replace(page, 4096, 4096, '\0');
        break;
      case 2:  // a page of anything
        for (std::size_t i = 0; i < 4096; ++i) bytes[page + i] = static_cast<char>(random());
        break;
      default:  // some bytes somewhere
        for (int i = 0; i < 20; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    replace(path(victim->first), bytes);
    read_everything();
    told += problems_.empty() ? 0 : 1;
    auto store = Store::open(dir_, quick(), clock_);
    if (!store) {
      // Only where the damage looks like a file of somebody else, which is left alone.
      EXPECT_THAT(store.error().message(),
                  testing::AnyOf(HasSubstr("newer"), HasSubstr("not a file of this kind")));
      continue;
    }
    const auto id = (*store)->series(make_key("after"));
    (*store)->append({{id, moment_of(clock_.now()), 5}});
    (*store)->put(NodeChange{clock_.now(), "after", "", "DOWN", "", "", {}, {}});
    (*store)->set_state("after", "yes");
    flush(**store);
    aside += (*store)->health().files_set_aside > 0 ? 1 : 0;
    auto reader = this->reader();
    EXPECT_EQ(reader.points({"after", {}}, kEver)->size(), 1U) << "round " << round;
    EXPECT_EQ(reader.node_changes({{}, "after"})->size(), 1U) << "round " << round;
    EXPECT_EQ(*reader.state("after"), "yes") << "round " << round;
    if (HasFailure()) break;
  }
  EXPECT_GT(told, 40);
  EXPECT_GT(aside, 40);
}

TEST_F(Damage, ANewerFormatIsLeftAlone) {
  fill();
  for (const char* name : {"records-2026-12.db", "series-2026-12-01.db"}) {
    const auto before = contents(path(name));
    {
      auto database = Database::open(path(name), Database::Access::kWrite);
      ASSERT_TRUE((*database)->execute("test", "PRAGMA user_version=99"));
    }
    auto store = Store::open(dir_, quick(), clock_);
    ASSERT_FALSE(store);
    EXPECT_THAT(store.error().message(),
                HasSubstr("was written by a newer schedlens (format 99, "));
    EXPECT_THAT(store.error().message(), HasSubstr(name));
    read_everything();
    ASSERT_THAT(problems_, SizeIs(1));
    EXPECT_THAT(problems_[0], HasSubstr("newer"));
    replace(path(name), before);
  }
  EXPECT_THAT(set_aside_files(dir_), IsEmpty());
}

TEST_F(Damage, AForeignDatabaseIsLeftAlone) {
  fill();
  std::filesystem::remove(path("records-2026-12.db"));
  std::filesystem::copy_file(path("series-2026-12-01.db"), path("records-2026-12.db"));
  auto store = Store::open(dir_, quick(), clock_);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message(), HasSubstr("is not a file of this kind"));
}

}  // namespace
}  // namespace schedlens::memory
