// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/text.h"
#include "cli/layout.h"

namespace schedlens::cli {
void Table::row(std::vector<Cell> cells) {
  assert(cells.size() == columns_.size());
  for (auto& cell : cells) cell.text = printable(cell.text);
  rows_.push_back(std::move(cells));
}

Table::Fit Table::fit(std::size_t limit) const {
  Fit fit{.gap = 2, .widths = {}};
  auto& width = fit.widths;
  for (const auto& column : columns_) width.push_back(display_width(column.title));
  for (const auto& cells : rows_) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      width[i] = std::max(width[i], display_width(cells[i].text));
    }
  }
  auto total = std::accumulate(width.begin(), width.end(), indent_ + fit.gap * (width.size() - 1));
  if (limit == 0 || total <= limit) return fit;
  fit.gap = 1;
  total -= width.size() - 1;
  while (total > limit) {
    std::size_t widest = width.size();
    for (std::size_t i = 0; i < width.size(); ++i) {
      if (columns_[i].kind != Column::Kind::kFlexible || width[i] <= columns_[i].least) continue;
      if (widest == width.size() || width[i] >= width[widest]) widest = i;
    }
    if (widest == width.size()) break;
    --width[widest];
    --total;
  }
  return fit;
}

void Table::put(std::string& out, const Style& style, const std::vector<Cell>& cells,
                const Fit& fit) const {
  const auto& widths = fit.widths;
  auto start = out.size();
  out.append(indent_, ' ');
  std::size_t pending = 0;  // spaces owed before the next text, so that no line ends in spaces
  std::size_t used = indent_;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto text = style.width ? cut_to(cells[i].text, widths[i]) : cells[i].text;
    auto fill = widths[i] - std::min(widths[i], display_width(text));
    if (columns_[i].kind == Column::Kind::kNumber) pending += fill;
    if (!text.empty()) {
      out.append(pending, ' ');
      used += pending;
      pending = 0;
      if (style.width && used + display_width(text) > style.width) {
        // Even the narrowest columns do not fit: the line ends here.
        if (used < style.width) out += cut_to(text, style.width - used);
        break;
      }
      out += paint(style, cells[i].tone, text);
      used += display_width(text);
    }
    if (columns_[i].kind != Column::Kind::kNumber) pending += fill;
    pending += fit.gap;
  }
  while (out.size() > start && out.back() == ' ') out.pop_back();
  out += '\n';
}

std::string Table::render(const Style& style) const {
  if (rows_.empty()) return "";
  auto columns = fit(style.width);
  std::string out;
  std::vector<Cell> header;
  for (const auto& column : columns_) header.emplace_back(column.title, Tone::kDim);
  put(out, style, header, columns);
  for (const auto& cells : rows_) put(out, style, cells, columns);
  return out;
}

}  // namespace schedlens::cli
