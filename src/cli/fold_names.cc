// SPDX-License-Identifier: Apache-2.0
#include "cli/fold_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "base/text.h"

namespace schedlens::cli {
namespace {

// "node0012" is prefix "node" and number 12 with digits "0012"; a name without a number at its end
// has no digits.
struct Name {
  std::string_view prefix, digits;
  std::uint64_t number = 0;

  explicit Name(std::string_view text) {
    auto last = text.find_last_not_of("0123456789");
    auto at = last == std::string_view::npos ? 0 : last + 1;
    // Longer numbers than a uint64_t holds keep their leading digits in the prefix.
    at = std::max(at, text.size() - std::min<std::size_t>(text.size(), 18));
    prefix = text.substr(0, at);
    digits = text.substr(at);
    number = parse_number<std::uint64_t>(digits).value_or(0);
  }

  auto key() const { return std::tuple(prefix, !digits.empty(), number, digits); }
  bool shares_brackets_with(const Name& other) const {
    return prefix == other.prefix && !digits.empty() && !other.digits.empty();
  }
};

// Counting on from first, padded as first is, gives this name.
bool follows(const Name& name, const Name& last, std::string_view first_digits) {
  return name.shares_brackets_with(last) && name.number == last.number + 1 &&
         name.digits == fmt::format("{:0{}}", name.number, first_digits.size());
}

}  // namespace

std::string fold_names(std::vector<std::string_view> texts) {
  std::vector<Name> names(texts.begin(), texts.end());
  std::sort(names.begin(), names.end(),
            [](const Name& a, const Name& b) { return a.key() < b.key(); });
  names.erase(std::unique(names.begin(), names.end(),
                          [](const Name& a, const Name& b) { return a.key() == b.key(); }),
              names.end());
  std::string out;
  for (std::size_t i = 0; i < names.size();) {
    const auto& head = names[i];
    std::vector<std::string> ranges;
    do {
      auto first = i++;
      while (i < names.size() && follows(names[i], names[i - 1], names[first].digits)) ++i;
      ranges.push_back(i - first == 1
                           ? std::string(names[first].digits)
                           : fmt::format("{}-{}", names[first].digits, names[i - 1].digits));
    } while (i < names.size() && names[i].shares_brackets_with(head));
    bool single = ranges.size() == 1 && ranges[0].find('-') == std::string::npos;
    if (!out.empty()) out += ',';
    out += single ? fmt::format("{}{}", head.prefix, ranges[0])
                  : fmt::format("{}[{}]", head.prefix, fmt::join(ranges, ","));
  }
  return out;
}

std::string fold_names(const model::Snapshot& snapshot, std::span<const model::NodeId> nodes) {
  std::vector<std::string_view> names;
  names.reserve(nodes.size());
  for (auto id : nodes) names.push_back(snapshot.node(id).name.view());
  return fold_names(std::move(names));
}

}  // namespace schedlens::cli
