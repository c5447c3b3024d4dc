// SPDX-License-Identifier: Apache-2.0
#include "cli/find_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/sample_cluster_test.h"

namespace schedlens::cli {
namespace {

using testing::HasSubstr;

TEST(FindJob, KnowsIdsFromOtherWords) {
  for (auto id : {"12", "12_3", "12_[1-40%2]", "12+1", " 12 "}) EXPECT_TRUE(is_job_id(id)) << id;
  for (auto id : {"", "abc", "12x", "12_", "12+", "12_[", "-1", "12+[1]", "99999999999"}) {
    EXPECT_FALSE(is_job_id(id)) << id;
  }
}

TEST(FindJob, TasksOfAnArray) {
  EXPECT_TRUE(holds_task("1-40,50", 40));
  EXPECT_TRUE(holds_task("1-40,50", 50));
  EXPECT_FALSE(holds_task("1-40,50", 41));
  EXPECT_TRUE(holds_task("0-100:4", 8));
  EXPECT_FALSE(holds_task("0-100:4", 9));
  EXPECT_TRUE(holds_task("1-4,...", 77));
  EXPECT_FALSE(holds_task("", 1));
}

TEST(FindJob, ATaskIsFoundInTheRecordThatStandsForIt) {
  auto s = test::sample_cluster();
  ASSERT_EQ(find_job(s, "202_5").size(), 1u);
  EXPECT_EQ(find_job(s, "202_5")[0].index, 7u);
  EXPECT_EQ(find_job(s, "202").size(), 1u);
  EXPECT_TRUE(find_job(s, "202_99").empty());
  EXPECT_TRUE(find_job(s, "7").empty());
  EXPECT_TRUE(find_job(s, "nonsense").empty());
}

TEST(FindJob, WhatIsNotThereComesWithAHint) {
  auto s = test::sample_cluster();
  EXPECT_THAT(unknown_job(s, "7"), HasSubstr("sacct -j 7"));
  EXPECT_THAT(unknown_job(s, "202_99"), HasSubstr("of 202 there is: 202_[3-12]"));
  EXPECT_EQ(unknown_node(s, "node0O01"), "no node is called node0O01, did you mean node0001?");
  EXPECT_EQ(unknown_node(s, "something-else"), "no node is called something-else");
  EXPECT_TRUE(find_node(s, "hopper2").has_value());
  EXPECT_FALSE(find_node(s, "hopper").has_value());
}

TEST(FindJob, ListsOfIds) {
  auto ids = job_ids_of({"12,13_4", "202_[3,5]", " 12+1"});
  ASSERT_TRUE(ids);
  EXPECT_EQ(*ids, (std::vector<std::string>{"12", "13_4", "202_[3,5]", "12+1"}));
  EXPECT_TRUE(job_ids_of({})->empty());
  for (auto wrong : {"12,", "12,,13", "12;13", "x"}) {
    EXPECT_FALSE(job_ids_of({wrong})) << wrong;
  }
}

}  // namespace
}  // namespace schedlens::cli
