// SPDX-License-Identifier: Apache-2.0
#include "base/time_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "base/text.h"

namespace schedlens {
namespace {

std::string formatted(const std::tm& parts, const char* format) {
  std::array<char, 64> buffer{};
  auto length = std::strftime(buffer.data(), buffer.size(), format, &parts);
  return std::string(buffer.data(), length);
}

// Digits at fixed places: "0000-00-00T00:00:00".
bool has_timestamp_form(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  return true;
}

std::optional<std::tm> read_parts(std::string_view text) {
  if (!has_timestamp_form(text)) return std::nullopt;
  auto part = [&](std::size_t at, std::size_t length) {
    return *parse_number<int>(text.substr(at, length));
  };
  std::tm parts{};
  parts.tm_year = part(0, 4) - 1900;
  parts.tm_mon = part(5, 2) - 1;
  parts.tm_mday = part(8, 2);
  parts.tm_hour = part(11, 2);
  parts.tm_min = part(14, 2);
  parts.tm_sec = part(17, 2);
  parts.tm_isdst = -1;
  if (parts.tm_mon > 11 || parts.tm_mon < 0 || parts.tm_mday < 1 || parts.tm_mday > 31 ||
      parts.tm_hour > 23 || parts.tm_min > 59 || parts.tm_sec > 60) {
    return std::nullopt;
  }
  return parts;
}

}  // namespace

std::string iso8601(Timestamp moment) {
  std::time_t t = moment.unix_seconds;
  std::tm parts{};
  if (!gmtime_r(&t, &parts)) return "out of range";
  return formatted(parts, "%Y-%m-%dT%H:%M:%SZ");
}

std::string local_time(Timestamp moment) {
  std::time_t t = moment.unix_seconds;
  std::tm parts{};
  if (!localtime_r(&t, &parts)) return "out of range";
  return formatted(parts, "%Y-%m-%d %H:%M:%S");
}

std::optional<Timestamp> parse_local_time(std::string_view text) {
  auto parts = read_parts(text);
  if (!parts) return std::nullopt;
  return Timestamp{std::mktime(&*parts)};
}

std::optional<Timestamp> parse_iso8601(std::string_view text) {
  if (!text.ends_with('Z')) return std::nullopt;
  auto parts = read_parts(text.substr(0, text.size() - 1));
  if (!parts) return std::nullopt;
  return Timestamp{timegm(&*parts)};
}

std::string short_duration(Seconds duration) {
  auto seconds = duration.value;
  if (seconds < 0) return "-" + short_duration({-seconds});
  auto minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  if (days > 0) return fmt::format("{}d{}h", days, hours % 24);
  if (hours > 0) return fmt::format("{}h{}m", hours, minutes % 60);
  if (minutes > 0) return fmt::format("{}m{}s", minutes, seconds % 60);
  return fmt::format("{}s", seconds);
}

std::string short_bytes(Bytes bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes.value);
  std::size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  auto text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return fmt::format("{} {}", text, kUnits[unit]);
}

}  // namespace schedlens
