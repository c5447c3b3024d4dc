// SPDX-License-Identifier: Apache-2.0
#include "slurm/hostlist.h"

#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace schedlens::slurm {
namespace {

struct Range {
  std::uint64_t first = 0, last = 0;
  std::size_t width = 0;
};

// Literal text, then numbers; the last part of a word has no numbers.
struct Part {
  std::string_view literal;
  std::vector<Range> ranges;
};

constexpr std::size_t kMaxDigits = 18;
constexpr std::size_t kMaxName = 255;
constexpr std::size_t kMaxBrackets = 4;

Result<Range> parse_range(std::string_view text) {
  auto ends = cut(text, '-');
  auto low = ends ? ends->first : text;
  auto high = ends ? ends->second : text;
  auto first = parse_number<std::uint64_t>(low);
  auto last = parse_number<std::uint64_t>(high);
  if (!first || !last || low.size() > kMaxDigits || high.size() > kMaxDigits) {
    return fail("'{}' is not a range of numbers", printable(text.substr(0, 40)));
  }
  if (*last < *first) return fail("range '{}' goes backwards", text);
  return Range{*first, *last, low.size()};
}

Result<std::vector<Part>> parse_word(std::string_view word) {
  std::vector<Part> parts;
  std::size_t literals = 0;
  for (;;) {
    auto open = word.find('[');
    auto& part = parts.emplace_back();
    part.literal = word.substr(0, open);
    literals += part.literal.size();
    if (part.literal.find(']') != std::string_view::npos) return fail("']' without '['");
    if (open == std::string_view::npos) break;
    if (parts.size() > kMaxBrackets) return fail("more than {} brackets", kMaxBrackets);
    word.remove_prefix(open + 1);
    auto close = word.find(']');
    if (close == std::string_view::npos) return fail("'[' without ']'");
    for (auto text : split(word.substr(0, close), ',')) {
      auto range = parse_range(text);
      if (!range) return fail(range.error());
      part.ranges.push_back(*range);
    }
    if (part.ranges.empty()) return fail("nothing between '[' and ']'");
    word.remove_prefix(close + 1);
  }
  if (literals > kMaxName) return fail("name of {} characters", literals);
  return parts;
}

// How many names the word stands for; more than limit is reported as limit + 1.
std::size_t word_size(const std::vector<Part>& parts, std::size_t limit) {
  std::size_t total = 1;
  for (const auto& part : parts) {
    if (part.ranges.empty()) continue;
    std::size_t here = 0;
    for (const auto& range : part.ranges) {
      auto count = range.last - range.first + 1;
      if (count > limit || here + count > limit) return limit + 1;
      here += count;
    }
    if (here > limit / total) return limit + 1;
    total *= here;
  }
  return total;
}

void append_number(std::string& name, std::uint64_t number, std::size_t width) {
  char digits[24];
  auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  auto length = static_cast<std::size_t>(end - digits);
  if (length < width) name.append(width - length, '0');
  name.append(digits, length);
}

void visit_from(const std::vector<Part>& parts, std::size_t at, std::string& name,
                const std::function<void(std::string_view)>& visit) {
  const auto& part = parts[at];
  auto base = name.size();
  name += part.literal;
  if (at + 1 == parts.size()) {
    visit(name);
  } else {
    auto before = name.size();
    for (const auto& range : part.ranges) {
      for (auto number = range.first; number <= range.last; ++number) {
        append_number(name, number, range.width);
        visit_from(parts, at + 1, name, visit);
        name.resize(before);
      }
    }
  }
  name.resize(base);
}

}  // namespace

Status for_each_host(std::string_view list, const std::function<void(std::string_view)>& visit,
                     std::size_t limit) {
  if (list.find('[') == std::string_view::npos && list.find(',') == std::string_view::npos &&
      list.find(']') == std::string_view::npos && list.size() <= kMaxName) {
    if (!list.empty()) visit(list);
    return {};
  }
  std::vector<std::vector<Part>> words;
  std::size_t total = 0;
  for (auto text : split_outside_brackets(list, ',')) {
    if (text.empty()) continue;
    auto word = parse_word(text);
    if (!word) return fail(word.error().within(printable(text.substr(0, 60))));
    auto size = word_size(*word, limit);
    if (size > limit || total + size > limit) {
      return fail("'{}' stands for more than {} names", printable(text.substr(0, 60)), limit);
    }
    total += size;
    words.push_back(std::move(*word));
  }
  std::string name;
  for (const auto& word : words) visit_from(word, 0, name, visit);
  return {};
}

Result<std::vector<std::string>> expand_hostlist(std::string_view list, std::size_t limit) {
  std::vector<std::string> names;
  auto done = for_each_host(
      list, [&](std::string_view name) { names.emplace_back(name); }, limit);
  if (!done) return fail(done.error());
  return names;
}

}  // namespace schedlens::slurm
