// SPDX-License-Identifier: Apache-2.0
#include "alert/amounts.h"

#include <array>
#include <limits>
#include <utility>

#include "base/text.h"

namespace schedlens::alert {
namespace {

constexpr std::array<std::pair<char, std::int64_t>, 4> kUnits = {
    {{'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}}};
constexpr std::int64_t kLongest = std::int64_t{366} * 86'400;

}  // namespace

Result<Seconds> parse_span(std::string_view text) {
  auto wrong = [&] {
    return fail("'{}' is no duration, such as 30s, 5m, 2h or 1d", printable(text));
  };
  std::int64_t sum = 0, last = std::numeric_limits<std::int64_t>::max();
  auto rest = trim(text);
  if (rest == "0") return Seconds{0};
  if (rest.empty()) return wrong();
  while (!rest.empty()) {
    auto digits = rest.find_first_not_of("0123456789");
    if (digits == std::string_view::npos || digits == 0 || digits > 9) return wrong();
    std::int64_t unit = 0;
    for (const auto& [letter, seconds] : kUnits) {
      if (rest[digits] == letter) unit = seconds;
    }
    auto number = parse_number<std::int64_t>(rest.substr(0, digits));
    if (unit == 0 || unit >= last || !number) return wrong();
    sum += *number * unit;
    last = unit;
    rest.remove_prefix(digits + 1);
    if (sum > kLongest) return fail("'{}' is longer than a year", printable(text));
  }
  return Seconds{sum};
}

std::string span_text(Seconds span) {
  std::string out;
  auto left = span.value;
  for (const auto& [letter, seconds] : kUnits) {
    if (left >= seconds) out += fmt::format("{}{}", left / seconds, letter);
    left %= seconds;
  }
  return out.empty() ? "0s" : out;
}

Result<double> parse_amount(std::string_view text) {
  auto body = trim(text);
  if (auto plain = parse_number<double>(body)) return *plain;
  if (body.ends_with('%')) {
    if (auto share = parse_number<double>(trim(body.substr(0, body.size() - 1))))
      return *share / 100;
  }
  if (auto span = parse_span(body)) return static_cast<double>(span->value);
  return fail("'{}' is no number, share (15%) or duration (10m)", printable(text));
}

}  // namespace schedlens::alert
