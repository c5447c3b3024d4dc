// SPDX-License-Identifier: Apache-2.0
#include "slurm/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::slurm {
namespace {

constexpr std::string_view kAfterReason[] = {"Comment"};
constexpr FreeText kFree[] = {{"Reason", kAfterReason, ']'}, {"Comment", {}}};

TEST(Record, ValuesWithSpacesAndWithoutText) {
  Record r("UserName=alice(1001) DefAccount=llm DefWckey= AdminLevel=Not Set", {});
  EXPECT_EQ(r.first_key(), "UserName");
  EXPECT_EQ(r.get("DefAccount"), "llm");
  EXPECT_TRUE(r.has("DefWckey"));
  EXPECT_EQ(r.get("DefWckey"), "");
  EXPECT_EQ(r.get("AdminLevel"), "Not Set");
  EXPECT_FALSE(r.has("Absent"));
  EXPECT_EQ(r.get("Absent"), "");
}

TEST(Record, KeysInAnyOrderAndWithPunctuation) {
  Record r("A=1 ReqB:S:C:T=0:0:*:* CPUs/Task=4 TRES=cpu=4,mem=5G B=2", {});
  EXPECT_EQ(r.get("B"), "2");
  EXPECT_EQ(r.get("A"), "1");
  EXPECT_EQ(r.get("CPUs/Task"), "4");
  EXPECT_EQ(r.get("ReqB:S:C:T"), "0:0:*:*");
  EXPECT_EQ(r.get("TRES"), "cpu=4,mem=5G");
}

TEST(Record, FreeTextMayLookLikeKeys) {
  Record r("State=DOWN Reason=bad State=IDLE Weight=1 [root@now] Comment=x Reason=y", kFree);
  EXPECT_EQ(r.get("State"), "DOWN");
  EXPECT_EQ(r.get("Reason"), "bad State=IDLE Weight=1 [root@now]");
  EXPECT_EQ(r.get("Comment"), "x Reason=y");
  EXPECT_FALSE(r.has("Weight"));
}

TEST(Record, AFreeTextWithAnEndMarkIsNotEndedEarlier) {
  Record r("Reason=see Comment=this [root@now] Comment=real", kFree);
  EXPECT_EQ(r.get("Reason"), "see Comment=this [root@now]");
  EXPECT_EQ(r.get("Comment"), "real");
}

TEST(Record, GarbageHasNoKeys) {
  EXPECT_EQ(Record("", {}).first_key(), "");
  EXPECT_EQ(Record("no keys here", {}).first_key(), "");
  EXPECT_EQ(Record("=x 1=2 ==", {}).first_key(), "");
}

TEST(Record, Lines) {
  EXPECT_THAT(lines("a\n\n b \nc"), testing::ElementsAre("a", "b", "c"));
  EXPECT_TRUE(lines("").empty());
}

}  // namespace
}  // namespace schedlens::slurm
