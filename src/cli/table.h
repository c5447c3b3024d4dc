// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table of aligned columns with one header line. Every cell is made safe to print. On a terminal
// that is too narrow the columns move closer together, then the flexible ones are cut, widest
// first.

#include <string>
#include <string_view>
#include <vector>

#include "cli/style.h"

namespace schedlens::cli {

struct Column {
  std::string title;
  enum class Kind { kText, kNumber, kFlexible } kind = Kind::kText;
  std::size_t least = 6;  // a flexible column is not cut below this
};

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;

  Cell(std::string t, Tone with = Tone::kPlain) : text(std::move(t)), tone(with) {}
  Cell(std::string_view t, Tone with = Tone::kPlain) : text(t), tone(with) {}
  Cell(const char* t, Tone with = Tone::kPlain) : text(t), tone(with) {}
};

class Table {
 public:
  explicit Table(std::vector<Column> columns, std::size_t indent = 0)
      : columns_(std::move(columns)), indent_(indent) {}

  // As many cells as there are columns.
  void row(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  // Header and rows, each line ended; "" when there are no rows.
  std::string render(const Style& style) const;

 private:
  struct Fit {
    std::size_t gap;
    std::vector<std::size_t> widths;
  };
  Fit fit(std::size_t limit) const;
  void put(std::string& out, const Style& style, const std::vector<Cell>& cells,
           const Fit& fit) const;

  std::vector<Column> columns_;
  std::size_t indent_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace schedlens::cli
