// SPDX-License-Identifier: Apache-2.0
#pragma once
// A report as data: sections with tables and plots. What a page, a text or JSON makes of it is
// theirs (html.h, markdown.h, json.h).

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace schedlens::report {

enum class Unit : std::uint8_t { kNumber, kSeconds, kShare, kGpuHours, kHours };

// A text, or a number with its unit; a number that is not known is absent, never zero.
struct Cell {
  std::string text;
  std::optional<double> value;
  Unit unit = Unit::kNumber;
  bool is_number = false;

  Cell(std::string t) : text(std::move(t)) {}  // NOLINT: a text is a cell
  Cell(const char* t) : text(t) {}             // NOLINT
  Cell(std::optional<double> v, Unit u) : value(v), unit(u), is_number(true) {}
  static Cell count(std::uint64_t n) { return {static_cast<double>(n), Unit::kNumber}; }
};

// "3h12m", "62 %", "1,234"; "?" for what is not known.
std::string shown(const Cell& cell);

struct Column {
  std::string title;
  bool number = false;
};

struct Table {
  std::string title;  // may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns
  std::string none;                     // is said instead of an empty table
};

// Bars: one for each name. Lines: values in equal steps, absent where nothing is known.
struct Plot {
  enum class Kind : std::uint8_t { kBars, kLine } kind = Kind::kBars;
  std::string title;
  Unit unit = Unit::kNumber;
  std::vector<std::string> names;  // of the bars; of a line those of some places
  std::vector<std::optional<double>> values;
  std::optional<double> most;  // of the scale; else the largest value
};

struct Section {
  std::string anchor;  // "waits"
  std::string title;
  std::vector<std::string> said;  // sentences
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::string how;  // how its numbers were found
};

struct Document {
  std::string title;
  std::string cluster;
  Timestamp from, to, made;
  std::vector<std::string> notes;  // what is not known, and why
  std::vector<Section> sections;
};

}  // namespace schedlens::report
