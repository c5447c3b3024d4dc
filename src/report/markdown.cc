// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/time_text.h"
#include "report/week.h"

namespace schedlens::report {
namespace {

// A bar ends a cell, and a line end a row.
std::string cell_text(const Cell& cell) {
  std::string out;
  for (char c : shown(cell)) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

void add_table(std::string& out, const Table& table) {
  if (!table.title.empty()) out += fmt::format("\n### {}\n", table.title);
  if (table.rows.empty()) {
    out += fmt::format("\n{}.\n", table.none);
    return;
  }
  out += "\n|";
  for (const auto& column : table.columns) out += fmt::format(" {} |", column.title);
  out += "\n|";
  for (const auto& column : table.columns) out += column.number ? " ---: |" : " --- |";
  out += '\n';
  for (const auto& row : table.rows) {
    out += '|';
    for (const auto& cell : row) out += fmt::format(" {} |", cell_text(cell));
    out += '\n';
  }
}

}  // namespace

std::string markdown(const Document& d) {
  auto out = fmt::format("# {}\n\n{}made {}\n", d.title, d.cluster.empty() ? "" : d.cluster + ", ",
                         local_time(d.made));
  for (const auto& note : d.notes) out += fmt::format("\n> {}\n", note);
  for (const auto& section : d.sections) {
    out += fmt::format("\n## {}\n", section.title);
    for (const auto& sentence : section.said) out += fmt::format("\n{}\n", sentence);
    for (const auto& table : section.tables) add_table(out, table);
    out += fmt::format("\n[How this was found](#how-{})\n", section.anchor);
  }
  out += "\n## How the numbers were found\n";
  for (const auto& section : d.sections) {
    out += fmt::format("\n<a id=\"how-{}\"></a>**{}.** {}\n", section.anchor, section.title,
                       section.how);
  }
  return out;
}

}  // namespace schedlens::report
