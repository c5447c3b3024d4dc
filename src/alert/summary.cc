// SPDX-License-Identifier: Apache-2.0
#include "alert/summary.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::alert {
namespace {

// Calls fill(word) for each {word}; what it returns stands in its place.
template <class Fill>
std::string filled(std::string_view text, Fill&& fill) {
  std::string out;
  while (!text.empty()) {
    auto open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    auto close = text.find('}', open);
    if (close == std::string_view::npos) {
      out += text.substr(open);
      break;
    }
    out += fill(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return out;
}

std::string joined(const NameList& names) {
  auto text = fmt::format("{}", fmt::join(names.first, ", "));
  if (names.count > names.first.size()) {
    text += fmt::format(" and {} more", names.count - names.first.size());
  }
  return text;
}

}  // namespace

std::string value_text(Unit unit, double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  switch (unit) {
    case Unit::kNumber:
      return fmt::format("{:.4g}", value);
    case Unit::kPercent:
      return fmt::format("{:.3g} %", value * 100);
    case Unit::kSeconds:
      return std::fabs(value) < 10 ? fmt::format("{:.2g}s", value)
                                   : short_duration({static_cast<std::int64_t>(value)});
    case Unit::kBytes:
      return short_bytes({static_cast<std::int64_t>(value)});
  }
  return "";
}

std::string summary(const Rule& rule, const Labels& group, double value, const NameList& names) {
  return filled(rule.summary, [&](std::string_view word) -> std::string {
    if (word == "value") return value_text(rule.unit, value);
    if (word == "names") return joined(names);
    if (word == "count") return std::to_string(names.count);
    return std::string(label(group, word));
  });
}

std::string prometheus_summary(const Rule& rule, std::string_view names, std::string_view count) {
  static constexpr std::string_view kForms[] = {"humanize", "humanizePercentage",
                                                "humanizeDuration", "humanize1024"};
  return filled(rule.summary, [&](std::string_view word) -> std::string {
    if (word == "value") {
      return fmt::format("{{{{ $value | {} }}}}", kForms[static_cast<int>(rule.unit)]);
    }
    if (word == "names") return std::string(names);
    if (word == "count") return std::string(count);
    return fmt::format("{{{{ $labels.{} }}}}", word);
  });
}

std::string summary_problem(const Rule& rule) {
  std::string problem;
  (void)filled(rule.summary, [&](std::string_view word) -> std::string {
    const bool about_names = word == "names" || word == "count";
    if (about_names && !rule.names) {
      problem = fmt::format("{{{}}} needs the field 'names'", word);
    } else if (!about_names && word != "value" &&
               std::find(rule.by.begin(), rule.by.end(), word) == rule.by.end()) {
      problem = fmt::format(
          "nothing fills {{{}}}: there are {{value}}, {{names}}, {{count}} and the "
          "labels of 'by'",
          printable(word));
    }
    return "";
  });
  return problem;
}

}  // namespace schedlens::alert
