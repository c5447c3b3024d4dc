// SPDX-License-Identifier: Apache-2.0
#include "alert/input.h"

#include <limits>
#include <map>

#include "base/text.h"

namespace schedlens::alert {
namespace {

std::optional<double> number(std::string_view text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  return parse_number<double>(text);
}

// The value stands behind the last space outside quotes; our own page has no timestamps.
std::optional<Sample> parse_line(std::string_view line) {
  auto space = line.rfind(' ');
  if (space == std::string_view::npos) return std::nullopt;
  auto value = number(trim(line.substr(space)));
  auto series = parse_series(line.substr(0, space));
  if (!value || !series) return std::nullopt;
  return Sample{std::move(series->name), std::move(series->labels), *value};
}

}  // namespace

std::vector<SourceAge> sources_of(const std::vector<Sample>& samples) {
  std::map<std::string, SourceAge, std::less<>> sources;
  for (const auto& sample : samples) {
    if (sample.name != "schedlens_source_state" && sample.name != "schedlens_source_age_seconds") {
      continue;
    }
    std::string name(label(sample.labels, "source"));
    auto& source = sources[name];
    source.name = name;
    if (sample.name == "schedlens_source_age_seconds") {
      source.age = Seconds{static_cast<std::int64_t>(sample.value)};
    } else if (sample.value == 1) {
      auto state = label(sample.labels, "state");
      source.stale = state == "stale" || state == "failed" || state == "never";
    }
  }
  std::vector<SourceAge> list;
  for (auto& entry : sources) list.push_back(std::move(entry.second));
  return list;
}

std::vector<Sample> parse_page(std::string_view page,
                               const std::set<std::string, std::less<>>& wanted) {
  std::vector<Sample> samples;
  for (auto line : split(page, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    auto name = line.substr(0, line.find_first_of("{ "));
    if (!wanted.contains(name)) continue;
    if (auto sample = parse_line(line)) samples.push_back(std::move(*sample));
  }
  return samples;
}

}  // namespace schedlens::alert
