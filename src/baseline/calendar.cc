// SPDX-License-Identifier: Apache-2.0
#include "baseline/calendar.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace schedlens::baseline {
namespace {

constexpr std::string_view kAnyYear = "2000-";  // a leap year, so that 02-29 is a day of it

std::optional<Day> parse_any_year(std::string_view text) {
  if (text.size() != 5) return std::nullopt;
  return parse_day(fmt::format("{}{}", kAnyYear, text));
}

Result<Holiday> parse_holiday(std::string_view line) {
  auto space = line.find_first_of(" \t");
  auto dates = line.substr(0, space);
  Holiday holiday;
  if (space != std::string_view::npos) holiday.name = std::string(trim(line.substr(space)));
  auto first = dates, last = dates;
  if (auto dots = dates.find(".."); dots != std::string_view::npos) {
    first = dates.substr(0, dots);
    last = dates.substr(dots + 2);
  }
  auto parsed_first = parse_day(first), parsed_last = parse_day(last);
  if (!parsed_first && !parsed_last) {
    parsed_first = parse_any_year(first);
    parsed_last = parse_any_year(last);
    holiday.every_year = true;
  }
  if (!parsed_first || !parsed_last) {
    return fail("'{}' is no date: 2026-12-25, 12-25 or two of them with .. between", dates);
  }
  if (*parsed_last < *parsed_first) return fail("'{}' ends before it begins", dates);
  holiday.first = *parsed_first;
  holiday.last = *parsed_last;
  return holiday;
}

}  // namespace

Result<std::vector<Holiday>> parse_holidays(std::string_view text) {
  std::vector<Holiday> holidays;
  int number = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    auto holiday = parse_holiday(line);
    if (!holiday) return fail(holiday.error().within(fmt::format("line {}", number)));
    holidays.push_back(std::move(*holiday));
  }
  return holidays;
}

Result<Weekend> parse_weekend(std::string_view text) {
  Weekend weekend;
  if (trim(text) == "none") return weekend;
  for (auto part : split(text, ',')) {
    constexpr std::array<std::string_view, 7> kNames = {"sun", "mon", "tue", "wed",
                                                        "thu", "fri", "sat"};
    auto name = lower(trim(part));
    std::size_t i = 0;
    while (i < kNames.size() && kNames[i] != name) ++i;
    if (i == kNames.size()) return fail("'{}' is no weekday: sat,sun or none", trim(part));
    weekend.set(i);
  }
  if (weekend.none()) return fail("a weekend of no days is written none");
  return weekend;
}

Calendar::Calendar() {
  weekend_.set(0).set(6);
}

Calendar::Calendar(Weekend weekend, std::vector<Holiday> holidays)
    : weekend_(weekend), holidays_(std::move(holidays)) {}

const Holiday* Calendar::holiday(Day day) const {
  auto of_any_year = parse_any_year(iso_date(day).substr(5)).value_or(day);
  for (const auto& holiday : holidays_) {
    auto compared = holiday.every_year ? of_any_year : day;
    if (holiday.first <= compared && compared <= holiday.last) return &holiday;
  }
  return nullptr;
}

DayClass Calendar::class_of(Day day) const {
  bool off = weekend_.test(static_cast<std::size_t>(weekday(day))) ||
             (!holidays_.empty() && holiday(day) != nullptr);
  return off ? DayClass::kOff : DayClass::kWorking;
}

std::string Calendar::name_of(Day day) const {
  if (const auto* found = holiday(day)) return fmt::format("holiday {}", found->name);
  return class_of(day) == DayClass::kOff ? "weekend" : "working day";
}

}  // namespace schedlens::baseline
