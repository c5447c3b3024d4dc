// SPDX-License-Identifier: Apache-2.0
#include "memory/moment.h"

#include <fmt/format.h>

#include "base/text.h"

namespace schedlens::memory {
namespace {

std::chrono::year_month_day date_of(Day day) {
  return std::chrono::sys_days(std::chrono::days(day.number));
}

Day day_of_date(std::chrono::year_month_day date) {
  return {static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
}

}  // namespace

Day month_of(Day day) {
  const auto date = date_of(day);
  return day_of_date(date.year() / date.month() / 1);
}

Day next_month(Day day) {
  const auto date = date_of(month_of(day));
  return day_of_date(date + std::chrono::months(1));
}

std::string month_text(Day day) {
  const auto date = date_of(day);
  return fmt::format("{:04}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()));
}

std::string day_text(Day day) {
  return fmt::format("{}-{:02}", month_text(day), static_cast<unsigned>(date_of(day).day()));
}

std::optional<Day> parse_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = parse_number<unsigned>(text.substr(0, 4));
  const auto month = parse_number<unsigned>(text.substr(5, 2));
  const auto day = parse_number<unsigned>(text.substr(8, 2));
  if (!year || !month || !day || *year < 1970) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return day_of_date(date);
}

std::optional<Day> parse_month(std::string_view text) {
  return text.size() == 7 ? parse_day(std::string(text) + "-01") : std::nullopt;
}

}  // namespace schedlens::memory
