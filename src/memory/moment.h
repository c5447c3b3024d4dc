// SPDX-License-Identifier: Apache-2.0
#pragma once
// Moments of series, in milliseconds, and the days and slots of two hours that they are filed by.
// All in UTC; so far back and ahead as days have four digits of year.

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace schedlens::memory {

struct Moment {
  std::int64_t unix_ms = 0;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

constexpr std::int64_t kMsPerHour = 3'600'000;
constexpr std::int64_t kMsPerSlot = 2 * kMsPerHour;
constexpr std::int64_t kMsPerDay = 24 * kMsPerHour;
constexpr int kSlotsPerDay = 12;

// Days since 1970-01-01.
struct Day {
  std::int32_t number = 0;
  friend auto operator<=>(const Day&, const Day&) = default;
};

// What can be filed: 1970-01-01 until 10000-01-01.
constexpr Moment kFirstMoment{0};
constexpr Moment kEndOfTime{253'402'300'800'000};

constexpr bool can_be_filed(Moment m) {
  return m >= kFirstMoment && m < kEndOfTime;
}
constexpr Day day_of(Moment m) {
  return {static_cast<std::int32_t>(m.unix_ms / kMsPerDay)};
}
constexpr Day day_of(Timestamp t) {
  return {static_cast<std::int32_t>(t.unix_seconds / 86'400)};
}
constexpr Moment begin_of(Day day) {
  return {std::int64_t{day.number} * kMsPerDay};
}
// 0 to 11.
constexpr int slot_of(Moment m) {
  return static_cast<int>(m.unix_ms % kMsPerDay / kMsPerSlot);
}
constexpr Moment moment_of(Timestamp t) {
  return {t.unix_seconds * 1000};
}

// The first day of the day's month.
Day month_of(Day day);
Day next_month(Day day);

std::string day_text(Day day);    // "2026-12-01"
std::string month_text(Day day);  // "2026-12"
std::optional<Day> parse_day(std::string_view text);
std::optional<Day> parse_month(std::string_view text);  // its first day

// From one moment until just before another.
struct TimeRange {
  Moment from = kFirstMoment;
  Moment to = kEndOfTime;
  bool contains(Moment m) const { return m >= from && m < to; }
  bool overlaps(Moment begin, Moment end) const { return begin < to && end > from; }
};

}  // namespace schedlens::memory
