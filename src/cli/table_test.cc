// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <gtest/gtest.h>

#include "cli/layout.h"

namespace schedlens::cli {
namespace {

using Kind = Column::Kind;

Table sample() {
  Table t({{"ID", Kind::kText}, {"GPUS", Kind::kNumber}, {"REASON", Kind::kFlexible}});
  t.row({"1", "8", "kernel panic on boot"});
  t.row({"1234", "128", "training job waits"});
  return t;
}

TEST(Table, AlignsTextLeftAndNumbersRight) {
  EXPECT_EQ(sample().render({}),
            "ID    GPUS  REASON\n"
            "1        8  kernel panic on boot\n"
            "1234   128  training job waits\n");
}

TEST(Table, IsCutOnlyOnATerminal) {
  Style narrow{.colour = false, .width = 22, .height = 0};
  EXPECT_EQ(sample().render(narrow),
            "ID   GPUS REASON\n"
            "1       8 kernel pani…\n"
            "1234  128 training jo…\n");
}

TEST(Table, ColumnsMoveCloserBeforeTheyAreCut) {
  Style narrow{.colour = false, .width = 30, .height = 0};
  EXPECT_EQ(sample().render(narrow),
            "ID   GPUS REASON\n"
            "1       8 kernel panic on boot\n"
            "1234  128 training job waits\n");
}

TEST(Table, NoLineIsWiderThanTheTerminal) {
  for (std::size_t width = 1; width < 60; ++width) {
    Style style{.colour = false, .width = width, .height = 0};
    auto text = sample().render(style);
    for (std::size_t at = 0; at < text.size();) {
      auto end = text.find('\n', at);
      EXPECT_LE(display_width(text.substr(at, end - at)), width) << text;
      at = end + 1;
    }
  }
}

TEST(Table, ControlCharactersCannotReachTheTerminal) {
  Table t({{"NAME"}, {"X"}});
  t.row({"a\x1b[31mb\nc", "\xff"});
  EXPECT_EQ(t.render({}), "NAME       X\na?[31mb?c  ?\n");
}

TEST(Table, WideCharactersKeepTheColumnsStraight) {
  Table t({{"NAME"}, {"X"}});
  t.row({"训练", "1"});
  t.row({"abcde", "2"});
  EXPECT_EQ(t.render({}), "NAME   X\n训练   1\nabcde  2\n");
}

TEST(Table, ColourDoesNotMoveColumns) {
  Table t({{"A"}, {"B"}});
  t.row({Cell("x", Tone::kBad), "y"});
  Style colour{.colour = true, .width = 0, .height = 0};
  EXPECT_EQ(t.render(colour), "\x1b[2mA\x1b[0m  \x1b[2mB\x1b[0m\n\x1b[31mx\x1b[0m  y\n");
}

TEST(Table, NothingWithoutRowsAndNoSpacesAtLineEnds) {
  Table t({{"A"}, {"B"}});
  EXPECT_EQ(t.render({}), "");
  t.row({"x", ""});
  EXPECT_EQ(t.render({}), "A  B\nx\n");
}

}  // namespace
}  // namespace schedlens::cli
