// SPDX-License-Identifier: Apache-2.0
#include "base/changed_lines.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"

namespace schedlens {

std::vector<std::string> changed_lines(std::string_view before, std::string_view after) {
  const auto old_lines = split(before, '\n'), new_lines = split(after, '\n');
  const std::set<std::string_view> old_set(old_lines.begin(), old_lines.end());
  const std::set<std::string_view> new_set(new_lines.begin(), new_lines.end());
  std::vector<std::string> out;
  for (auto line : old_lines) {
    if (!line.empty() && !new_set.contains(line)) out.push_back(fmt::format("- {}", line));
  }
  for (auto line : new_lines) {
    if (!line.empty() && !old_set.contains(line)) out.push_back(fmt::format("+ {}", line));
  }
  return out;
}

}  // namespace schedlens
