// SPDX-License-Identifier: Apache-2.0
#include "base/changed_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ChangedLines, WhatWentAndWhatCame) {
  EXPECT_THAT(changed_lines("a=1\nb=2\nc=3\n", "c=3\na=1\nb=4\nd=5\n"),
              ElementsAre("- b=2", "+ b=4", "+ d=5"));
}

TEST(ChangedLines, NothingWhereOnlyTheOrderOrTheEndDiffers) {
  EXPECT_THAT(changed_lines("a\nb", "b\na\n"), IsEmpty());
  EXPECT_THAT(changed_lines("", "a\n"), ElementsAre("+ a"));
}

}  // namespace
}  // namespace schedlens
