// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reading plain text: splitting and numbers that are numbers to the last character.

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schedlens {

std::string_view trim(std::string_view text);

// Splits at every separator; "a,,b" gives three parts, "" gives none.
std::vector<std::string_view> split(std::string_view text, char separator);

// Splits at separators outside (), [] and {}: "gpu:a:2(IDX:0,3),shard:1" gives two parts.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator);

// The parts before and after the first separator; nothing when it does not occur.
std::optional<std::pair<std::string_view, std::string_view>> cut(std::string_view text,
                                                                 char separator);

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);
bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string lower(std::string_view text);

// The whole text as a number, or nothing; "inf" and "nan" are no numbers to count with.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

// The candidate that differs least from text (edit distance), when the difference is small enough
// to be a typing error; for "unknown key X, did you mean Y".
std::optional<std::string> nearest(std::string_view text,
                                   const std::vector<std::string>& candidates);

// Text safe to show on a terminal: control characters and broken UTF-8 become '?'.
std::string printable(std::string_view text);

}  // namespace schedlens
