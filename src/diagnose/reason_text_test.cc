// SPDX-License-Identifier: Apache-2.0
#include "diagnose/reason_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::diagnose {
namespace {

using ::testing::HasSubstr;

TEST(ReasonText, TheWordEndsBeforeWhatFollows) {
  EXPECT_EQ(reason_word("ReqNodeNotAvail,_UnavailableNodes:n1"), "ReqNodeNotAvail");
  EXPECT_EQ(reason_word("ReqNodeNotAvail, May be reserved"), "ReqNodeNotAvail");
  EXPECT_EQ(reason_word("Resources"), "Resources");
  EXPECT_EQ(reason_word(""), "");
}

TEST(ReasonText, LimitsByTheirParts) {
  EXPECT_THAT(reason_meaning("QOSGrpGRES").meaning, HasSubstr("group's limit"));
  EXPECT_THAT(reason_meaning("AssocGrpCPURunMinutesLimit").meaning, HasSubstr("remaining"));
  EXPECT_THAT(reason_meaning("QOSMaxGRESPerJob").meaning, HasSubstr("one job"));
  EXPECT_THAT(reason_meaning("QOSMinGRES").meaning, HasSubstr("fewer GPUs"));
  EXPECT_THAT(reason_meaning("MaxCpuPerAccount").meaning, HasSubstr("CPUs"));
  for (auto word : {"QOSGrpGRES", "AssocMaxJobsLimit", "MaxJobsPerAccount", "QOSMaxMemoryPerUser",
                    "AssocGrpNodeLimit"}) {
    EXPECT_TRUE(is_account_limit(word)) << word;
    EXPECT_EQ(reason_meaning(word).cause, RootCause::kLimit) << word;
  }
}

TEST(ReasonText, OtherWordsAreNoAccountLimits) {
  for (auto word : {"QOSNotAllowed", "MaxMemPerLimit", "MaxPoweredUpNodes", "Resources"}) {
    EXPECT_FALSE(is_account_limit(word)) << word;
    EXPECT_FALSE(reason_meaning(word).meaning.empty()) << word;
  }
  EXPECT_TRUE(reason_meaning("SomethingNew").meaning.empty());
}

}  // namespace
}  // namespace schedlens::diagnose
