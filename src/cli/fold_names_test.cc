// SPDX-License-Identifier: Apache-2.0
#include "cli/fold_names.h"

#include <gtest/gtest.h>

namespace schedlens::cli {
namespace {

TEST(FoldNames, RunsOfNumbersBecomeRanges) {
  EXPECT_EQ(fold_names({"node0001", "node0002", "node0003", "node0007"}), "node[0001-0003,0007]");
  EXPECT_EQ(fold_names({"n3", "n1", "n2"}), "n[1-3]");
  EXPECT_EQ(fold_names({"n1", "n1"}), "n1");
  EXPECT_EQ(fold_names({"n1", "n3"}), "n[1,3]");
  EXPECT_EQ(fold_names(std::vector<std::string_view>{}), "");
}

TEST(FoldNames, WidthIsKept) {
  EXPECT_EQ(fold_names({"n8", "n9", "n10", "n11"}), "n[8-11]");
  EXPECT_EQ(fold_names({"n08", "n09", "n10"}), "n[08-10]");
  EXPECT_EQ(fold_names({"n9", "n010"}), "n[9,010]");  // not a run: the second is padded
  EXPECT_EQ(fold_names({"n99", "n100"}), "n[99-100]");
}

TEST(FoldNames, NamesWithoutNumbersStandAlone) {
  EXPECT_EQ(fold_names({"login", "login1", "login2"}), "login,login[1-2]");
  EXPECT_EQ(fold_names({"b", "a"}), "a,b");
  EXPECT_EQ(fold_names({"rack1-gpu01", "rack1-gpu02", "rack2-gpu01"}),
            "rack1-gpu[01-02],rack2-gpu01");
  EXPECT_EQ(fold_names({"n1-ib", "n2-ib"}), "n1-ib,n2-ib");
}

TEST(FoldNames, NumbersTooLongForAnIntegerDoNotOverflow) {
  EXPECT_EQ(fold_names({"n99999999999999999999", "n99999999999999999998"}),
            "n99[999999999999999998-999999999999999999]");
  EXPECT_EQ(fold_names({"123", "124"}), "[123-124]");
}

}  // namespace
}  // namespace schedlens::cli
