// SPDX-License-Identifier: Apache-2.0
#include "cli/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedlens::cli {
namespace {

using testing::ElementsAre;

TEST(Layout, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("größe"), 5u);
  EXPECT_EQ(display_width("训练"), 4u);     // two columns each
  EXPECT_EQ(display_width("e\u0301"), 1u);  // a combining accent takes none
  EXPECT_EQ(visible_width("\x1b[1mabc\x1b[0m"), 3u);
}

TEST(Layout, CutsAtColumns) {
  EXPECT_EQ(cut_to("abcdef", 4), "abc…");
  EXPECT_EQ(cut_to("abcd", 4), "abcd");
  EXPECT_EQ(cut_to("abcdef", 0), "abcdef");
  EXPECT_EQ(cut_to("训练任务", 6), "训练…");
  EXPECT_EQ(cut_to("训练任务", 5), "训练…");
  EXPECT_EQ(cut_to("训练任务", 4), "训…");
}

TEST(Layout, WrapsBetweenWords) {
  EXPECT_THAT(wrap("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap("one two three", 0), ElementsAre("one two three"));
  EXPECT_THAT(wrap("node[1,3,5,7,9] x", 10), ElementsAre("node[1,3,", "5,7,9] x"));
  EXPECT_THAT(wrap("aaaaaaaaaa", 4), ElementsAre("aaaa", "aaaa", "aa"));
  EXPECT_THAT(wrap("", 4), ElementsAre(""));
}

TEST(Layout, LabelStandsOnceBesideItsText) {
  Style narrow{.colour = false, .width = 40, .height = 0};
  EXPECT_EQ(labelled(narrow, "reason", 10, "a reason that is longer than one line here"),
            "reason    a reason that is longer than\n"
            "          one line here\n");
  EXPECT_EQ(labelled({}, "reason", 8, "x"), "reason  x\n");
}

TEST(Layout, BlocksStandSideBySide) {
  EXPECT_EQ(beside("ab\nabcd\n", "x\ny\nz\n", 2), "ab    x\nabcd  y\n      z\n");
  EXPECT_EQ(beside("a\nb\n", "", 2), "a\nb\n");
}

}  // namespace
}  // namespace schedlens::cli
