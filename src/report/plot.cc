// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace schedlens::report {
namespace {

constexpr double kWidth = 760, kLeft = 64, kRight = 10;
constexpr double kLineHeight = 180, kTop = 10, kBottom = 24;
constexpr double kBar = 24, kNames = 200;

double largest(const Plot& plot) {
  double most = 0;
  for (const auto& value : plot.values) {
    if (value && std::isfinite(*value)) most = std::max(most, *value);
  }
  return plot.most.value_or(most > 0 ? most : 1);
}

std::string begin(const Plot& plot, double height) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">\n",
      escaped(plot.title), kWidth, height, escaped(plot.title));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string bars(const Plot& plot) {
  const auto most = largest(plot);
  const auto height = kBar * static_cast<double>(plot.values.size());
  auto out = begin(plot, height);
  for (std::size_t i = 0; i < plot.values.size(); ++i) {
    const auto y = kBar * static_cast<double>(i);
    const auto value = plot.values[i].value_or(0);
    const auto width = (kWidth - kNames - 90) * value / most;
    out += text_at(kNames - 8, y + 16, "end", plot.names[i]);
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\"/>\n", kNames,
                       y + 3, std::max(width, 1.0));
    out += text_at(kNames + width + 6, y + 16, "start", shown(Cell(plot.values[i], plot.unit)));
  }
  return out + "</svg></figure>\n";
}

// The line in pieces: nothing is drawn where nothing is known.
std::string path_of(const Plot& plot, double most) {
  std::string path;
  const auto step =
      (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(1, plot.values.size()));
  const auto room = kLineHeight - kTop - kBottom;
  bool drawing = false;
  for (std::size_t i = 0; i < plot.values.size(); ++i) {
    const auto& value = plot.values[i];
    if (!value || !std::isfinite(*value)) {
      drawing = false;
      continue;
    }
    const auto y = kTop + room * (1 - std::clamp(*value / most, 0.0, 1.0));
    const auto x = kLeft + step * static_cast<double>(i);
    path += fmt::format("{}{:.1f},{:.1f}L{:.1f},{:.1f}", drawing ? 'L' : 'M', x, y, x + step, y);
    drawing = true;
  }
  return path;
}

std::string line(const Plot& plot, const std::vector<std::string>& of_days) {
  const auto most = largest(plot);
  auto out = begin(plot, kLineHeight);
  const auto room = kLineHeight - kTop - kBottom;
  for (const double part : {0.0, 0.5, 1.0}) {
    const auto y = kTop + room * (1 - part);
    out += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"grid\"/>\n",
                       kLeft, kWidth - kRight, y, y);
    out += text_at(kLeft - 6, y + 4, "end", shown(Cell(most * part, plot.unit)));
  }
  const auto day =
      (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(1, of_days.size()));
  for (std::size_t i = 0; i < of_days.size(); ++i) {
    const auto x = kLeft + day * static_cast<double>(i);
    out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\" class=\"grid\"/>\n",
                       x, x, kTop, kLineHeight - kBottom);
    out += text_at(x + day / 2, kLineHeight - 6, "middle", of_days[i]);
  }
  out += fmt::format("<path d=\"{}\"/>\n", path_of(plot, most));
  return out + "</svg></figure>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string svg(const Plot& plot, const std::vector<std::string>& of_days) {
  return plot.kind == Plot::Kind::kBars ? bars(plot) : line(plot, of_days);
}

}  // namespace schedlens::report
