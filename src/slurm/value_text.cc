// SPDX-License-Identifier: Apache-2.0
#include "slurm/value_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "base/time_text.h"

namespace schedlens::slurm {
namespace {

// Slurm's "not set" and "infinite" in 32 and 64 bits; 16 bits are too easily real numbers.
constexpr std::uint64_t kNoValue32 = 0xFFFFFFFE;
constexpr std::uint64_t kNoValue64 = 0xFFFFFFFFFFFFFFFE;

bool says_unlimited(std::string_view text) {
  return equal_ignoring_case(text, "UNLIMITED") || equal_ignoring_case(text, "INFINITE");
}

std::optional<std::int64_t> digits(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

int unit_power(char unit) {
  constexpr std::string_view kUnits = "KMGTPE";
  auto at = kUnits.find(unit >= 'a' && unit <= 'z' ? static_cast<char>(unit - 'a' + 'A') : unit);
  return at == std::string_view::npos ? 0 : static_cast<int>(at) + 1;
}

}  // namespace

bool says_nothing(std::string_view text) {
  if (text.size() > 10) return false;
  static constexpr std::array<std::string_view, 14> kWords = {
      "",  "(null)",  "N/A",  "n/a",     "None",    "NONE", "Unknown",
      "*", "INVALID", "none", "NOT_SET", "unknown", "n/s",  "(none)"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

std::vector<Symbol> symbol_list(std::string_view text) {
  std::vector<Symbol> names;
  if (says_nothing(text)) return names;
  for (auto name : split(text, ',')) {
    if (!name.empty()) names.push_back(Symbol(name));
  }
  return names;
}

std::optional<Timestamp> TimeReader::operator()(std::string_view text) {
  constexpr std::size_t kHourLength = 13;
  if (text.size() != 19 || text[16] != ':') return std::nullopt;
  auto minute = digits(text.substr(14, 2));
  auto second = digits(text.substr(17, 2));
  if (!minute || !second || *minute > 59 || *second > 60) return std::nullopt;
  auto slot = static_cast<unsigned char>((text[9] - '0') * 31 + (text[11] - '0') * 10 + text[12]);
  Hour& hour = hours_[slot];
  if (std::memcmp(hour.text.data(), text.data(), kHourLength) != 0) {
    char whole[20];
    std::memcpy(whole, text.data(), kHourLength);
    std::memcpy(whole + kHourLength, ":00:00", 6);
    auto moment = parse_local_time(std::string_view(whole, 19));
    if (!moment || text[13] != ':') return std::nullopt;
    std::memcpy(hour.text.data(), text.data(), kHourLength);
    hour.unix_seconds = moment->unix_seconds;
  }
  return Timestamp{hour.unix_seconds + *minute * 60 + *second};
}

std::optional<Seconds> parse_duration(std::string_view text) {
  if (auto point = text.find('.'); point != std::string_view::npos) {
    if (!digits(text.substr(point + 1))) return std::nullopt;
    text = text.substr(0, point);
  }
  std::int64_t days = 0;
  bool has_days = false;
  if (auto dash = text.find('-'); dash != std::string_view::npos) {
    auto number = digits(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = *number;
    has_days = true;
    text.remove_prefix(dash + 1);
  }
  std::int64_t seconds = 0;
  int parts = 0;
  for (;;) {
    auto colon = text.find(':');
    auto number = digits(text.substr(0, colon));
    if (!number || ++parts > 3) return std::nullopt;
    seconds = seconds * 60 + *number;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts < 2 || (has_days && parts != 3)) return std::nullopt;
  return Seconds{days * 86400 + seconds};
}

Bound<Seconds> parse_time_limit(std::string_view text) {
  if (says_unlimited(text)) return Bound<Seconds>::unlimited();
  auto duration = parse_duration(text);
  return duration ? Bound<Seconds>::of(*duration) : Bound<Seconds>{};
}

std::optional<double> parse_scaled(std::string_view text) {
  if (text.empty() || text.size() > 40) return std::nullopt;
  int power = unit_power(text.back());
  if (power > 0) text.remove_suffix(1);
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  auto number = parse_number<double>(text);
  if (!number) return std::nullopt;
  return *number * std::pow(1024.0, power);
}

std::optional<Bytes> parse_mebibytes(std::string_view text) {
  auto scaled = parse_scaled(text);
  if (!scaled) return std::nullopt;
  double bytes = unit_power(text.back()) > 0 ? *scaled : *scaled * 1024 * 1024;
  if (bytes >= 9e18) return std::nullopt;
  return Bytes{std::llround(bytes)};
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (auto plain = parse_number<std::uint64_t>(text)) {
    if (*plain == kNoValue32 || *plain == kNoValue32 + 1 || *plain >= kNoValue64) {
      return std::nullopt;
    }
    return plain;
  }
  if (text.empty() || unit_power(text.back()) == 0) return std::nullopt;
  auto scaled = parse_scaled(text);
  if (!scaled || *scaled >= 1.8e19) return std::nullopt;
  return static_cast<std::uint64_t>(*scaled + 0.5);
}

std::optional<std::uint32_t> parse_count32(std::string_view text) {
  auto count = parse_count(text);
  if (!count || *count > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*count);
}

Bound<std::uint32_t> parse_count_limit(std::string_view text) {
  if (says_unlimited(text)) return Bound<std::uint32_t>::unlimited();
  auto count = parse_count32(text);
  return count ? Bound<std::uint32_t>::of(*count) : Bound<std::uint32_t>{};
}

}  // namespace schedlens::slurm
