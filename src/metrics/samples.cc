// SPDX-License-Identifier: Apache-2.0
#include "metrics/samples.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "metrics/families.h"

namespace schedlens::metrics {
namespace {

std::optional<double> read_value(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  return parse_number<double>(text);
}

// What stands between quotes, from after the first; at is left behind the last.
std::string read_quoted(std::string_view line, std::size_t& at) {
  std::string text;
  for (; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] != '\\' || at + 1 == line.size()) {
      text += line[at];
      continue;
    }
    ++at;
    text += line[at] == 'n' ? '\n' : line[at];
  }
  ++at;
  return text;
}

std::optional<Sample> read_line(std::string_view line) {
  Sample sample;
  auto at = line.find_first_of("{ ");
  if (at == std::string_view::npos) return std::nullopt;
  sample.name = line.substr(0, at);
  if (line[at] == '{') {
    ++at;
    while (at < line.size() && line[at] != '}') {
      const auto equals = line.find("=\"", at);
      if (equals == std::string_view::npos) return std::nullopt;
      std::string name(line.substr(at, equals - at));
      at = equals + 2;
      sample.labels.emplace_back(std::move(name), read_quoted(line, at));
      if (at < line.size() && line[at] == ',') ++at;
    }
    ++at;
  }
  if (at >= line.size()) return std::nullopt;
  const auto value = read_value(trim(line.substr(at)));
  if (!value) return std::nullopt;
  sample.value = *value;
  return sample;
}

bool is_bucket(const Sample& sample) {
  return std::any_of(sample.labels.begin(), sample.labels.end(),
                     [](const auto& label) { return label.first == "le"; });
}

std::string_view family_of(std::string_view name, const std::unordered_set<std::string_view>& all) {
  for (auto end : {"_sum", "_count"}) {
    if (!name.ends_with(end)) continue;
    const auto base = name.substr(0, name.size() - std::string_view(end).size());
    if (all.contains(base)) return base;
  }
  return name;
}

}  // namespace

std::vector<Sample> read_samples(std::string_view page) {
  std::vector<Sample> all;
  for (auto line : split(page, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    auto sample = read_line(line);
    if (sample && !is_bucket(*sample)) all.push_back(std::move(*sample));
  }
  return all;
}

bool is_of_the_cluster(const Family& family) {
  constexpr std::array<std::string_view, 4> kOfOne{"node", "user", "account", "pod"};
  return family.limit <= declared::kFew &&
         std::none_of(family.labels.begin(), family.labels.end(), [&](std::string_view label) {
           return std::find(kOfOne.begin(), kOfOne.end(), label) != kOfOne.end();
         });
}

std::vector<Sample> samples(const model::Snapshot& snapshot, RenderInput input,
                            const std::function<bool(const Family&)>& wanted) {
  std::unordered_set<std::string_view> names;
  input.prefixes.clear();
  for (const auto& family : kFamilies) {
    if (!wanted(family)) continue;
    names.insert(family.name);
    input.prefixes.emplace_back(family.name);
  }
  if (names.empty()) return {};
  auto all = read_samples(render(&snapshot, input));
  // A name may begin with that of another family.
  std::erase_if(all, [&](const Sample& s) { return !names.contains(family_of(s.name, names)); });
  return all;
}

}  // namespace schedlens::metrics
