// SPDX-License-Identifier: Apache-2.0
#include "memory/schema.h"

#include <gmock/gmock.h>

#include <array>

#include "memory/record_table.h"
#include "memory/store_dir_test.h"

namespace schedlens::memory {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr std::int64_t kId = 77;
constexpr std::array kFirst = {"CREATE TABLE t(a INTEGER)"};
constexpr std::array kSecond = {"CREATE TABLE t(a INTEGER)",
                                "ALTER TABLE t ADD COLUMN b INTEGER; UPDATE t SET b = 2 * a;"};
constexpr std::array kFails = {"CREATE TABLE t(a INTEGER)",
                               "ALTER TABLE t ADD COLUMN b INTEGER; UPDATE missing SET b = 1;"};

class Schema : public StoreDir {
 protected:
  void SetUp() override {
    StoreDir::SetUp();
    std::filesystem::create_directories(dir_);
  }
  std::unique_ptr<Database> database() const {
    auto opened = Database::open(path("f.db"), Database::Access::kWrite);
    EXPECT_TRUE(opened);
    return std::move(*opened);
  }
  std::int64_t value(const std::string& sql) const {
    return database()->integer("test", sql).value_or(-1);
  }
};

TEST_F(Schema, AnOlderFileIsBroughtToTheNewFormatWithWhatItHolds) {
  ASSERT_TRUE(apply_steps(*database(), kId, kFirst));
  EXPECT_EQ(value("PRAGMA user_version"), 1);
  EXPECT_EQ(value("PRAGMA application_id"), kId);
  ASSERT_TRUE(database()->execute("test", "INSERT INTO t VALUES(5), (7)"));
  ASSERT_TRUE(apply_steps(*database(), kId, kSecond));
  EXPECT_EQ(value("PRAGMA user_version"), 2);
  EXPECT_EQ(value("SELECT sum(b) FROM t"), 24);
  // Again: nothing is done twice.
  ASSERT_TRUE(apply_steps(*database(), kId, kSecond));
  EXPECT_EQ(value("SELECT sum(b) FROM t"), 24);
}

TEST_F(Schema, AStepThatFailsLeavesTheFileAsItWas) {
  ASSERT_TRUE(apply_steps(*database(), kId, kFirst));
  ASSERT_TRUE(database()->execute("test", "INSERT INTO t VALUES(5)"));
  auto done = apply_steps(*database(), kId, kFails);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message(), HasSubstr("f.db: bring to a newer format: no such table"));
  EXPECT_EQ(value("PRAGMA user_version"), 1);
  EXPECT_EQ(value("SELECT count(*) FROM pragma_table_info('t')"), 1);
  EXPECT_EQ(value("SELECT a FROM t"), 5);
}

TEST_F(Schema, OthersAreRefused) {
  ASSERT_TRUE(apply_steps(*database(), kId, kSecond));
  auto newer = apply_steps(*database(), kId, kFirst);
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().message(), HasSubstr("newer schedlens (format 2, this one knows"));
  auto foreign = apply_steps(*database(), kId + 1, kSecond);
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().message(), HasSubstr("not a file of this kind"));
}

// A database that somebody made for something else has no mark of ours.
TEST_F(Schema, ADatabaseWithoutAMarkIsForeign) {
  ASSERT_TRUE(database()->execute("test", "CREATE TABLE mine(x)"));
  auto done = apply_steps(*database(), kId, kFirst);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message(), HasSubstr("not a file of this kind"));
}

// What a reader of an older file says; nothing that reads changes a file.
TEST_F(Schema, AReaderTellsWhoBringsAnOlderFileUpToDate) {
  const StoreFile file{FileKind::kState, {}, path("state.db"), 0};
  ASSERT_TRUE(open_for_writing(file, true, kDecember));
  {
    auto database = Database::open(file.path, Database::Access::kWrite);
    ASSERT_TRUE((*database)->execute("test", "PRAGMA user_version=0"));
  }
  auto read = open_for_reading(file);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("written by an older schedlens (format 0)"));
  EXPECT_THAT(read.error().message(), HasSubstr("schedlens store compact"));
}

}  // namespace
}  // namespace schedlens::memory
