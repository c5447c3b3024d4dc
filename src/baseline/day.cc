// SPDX-License-Identifier: Apache-2.0
#include "baseline/day.h"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "base/text.h"

namespace schedlens::baseline {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kFullDay = 24 * kHour;

std::chrono::sys_days calendar(Day day) {
  return std::chrono::sys_days(std::chrono::days(day.number));
}

std::chrono::year_month_day civil(Day day) {
  return {calendar(day)};
}

struct LocalTime {
  Day day;
  std::int64_t second_of_day = 0;
  std::int64_t offset = 0;  // east of UTC
};

LocalTime local(std::int64_t unix_seconds) {
  std::time_t t = unix_seconds;
  std::tm parts{};
  localtime_r(&t, &parts);
  auto offset = static_cast<std::int64_t>(parts.tm_gmtoff);
  auto shifted = unix_seconds + offset;
  auto day = shifted / kFullDay - (shifted % kFullDay < 0 ? 1 : 0);
  return {{static_cast<std::int32_t>(day)}, shifted - day * kFullDay, offset};
}

// Noon: no zone moves its clock then, so it happens exactly once.
std::int64_t noon(Day day) {
  auto date = civil(day);
  std::tm parts{};
  parts.tm_year = static_cast<int>(date.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.tm_hour = 12;
  parts.tm_isdst = -1;
  return std::mktime(&parts);
}

// Minute by minute, for the days on which the clock is moved: two a year at most.
std::vector<Window> windows_of_moved_day(Day day, std::int64_t middle, std::int64_t width) {
  std::vector<Window> windows(static_cast<std::size_t>(kFullDay / width));
  std::vector<std::int64_t> minutes(windows.size(), 0);
  for (auto t = middle - 15 * kHour; t < middle + 15 * kHour; t += kMinute) {
    auto at = local(t);
    if (at.day != day) continue;
    auto index = static_cast<std::size_t>(at.second_of_day / width);
    if (minutes[index]++ == 0) windows[index].begin = {t};
    windows[index].end = {t + kMinute};
  }
  Timestamp before{middle - kFullDay / 2};
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (minutes[i] == 0) windows[i] = {before, before, true};
    windows[i].moved = minutes[i] * kMinute != width;
    before = windows[i].end;
  }
  return windows;
}

}  // namespace

Status use_zone(const std::string& name) {
  if (name.empty()) return {};
  const char* folder = std::getenv("TZDIR");
  auto file = fmt::format("{}/{}", folder ? folder : "/usr/share/zoneinfo", name);
  bool odd = name.front() == '/' || name.find("..") != std::string::npos;
  if (name != "UTC" && (odd || access(file.c_str(), R_OK) != 0)) {
    return fail("no time zone {}: one such as Europe/Berlin is wanted, of the package tzdata",
                name);
  }
  setenv("TZ", name.c_str(), 1);
  tzset();
  return {};
}

int weekday(Day day) {
  return static_cast<int>(std::chrono::weekday(calendar(day)).c_encoding());
}

std::string_view weekday_name(Day day) {
  constexpr std::array<std::string_view, 7> kNames = {"Sun", "Mon", "Tue", "Wed",
                                                      "Thu", "Fri", "Sat"};
  return kNames[static_cast<std::size_t>(weekday(day))];
}

std::string iso_date(Day day) {
  auto date = civil(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string short_date(Day day) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  auto date = civil(day);
  return fmt::format("{} {}", static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1]);
}

std::optional<Day> parse_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  auto year = parse_number<unsigned>(text.substr(0, 4));
  auto month = parse_number<unsigned>(text.substr(5, 2));
  auto day = parse_number<unsigned>(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                   std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return Day{static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
}

Day local_day(Timestamp moment) {
  return local(moment.unix_seconds).day;
}

Status check_width(Seconds width) {
  if (width.value < kMinute || width.value % kMinute != 0 || kFullDay % width.value != 0) {
    return fail("a window of {} s: it has to be whole minutes and divide a day", width.value);
  }
  return {};
}

Place place_of(Timestamp moment, Seconds width) {
  auto day = local_day(moment);
  auto windows = windows_of(day, width);
  int index = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i].begin <= moment && moment < windows[i].end) index = static_cast<int>(i);
  }
  return {day, index, windows[static_cast<std::size_t>(index)]};
}

std::vector<Window> windows_of(Day day, Seconds width) {
  auto middle = noon(day);
  auto begin = middle - kFullDay / 2;
  auto first = local(begin), last = local(begin + kFullDay - 1);
  bool plain = first.day == day && first.second_of_day == 0 && last.day == day &&
               last.second_of_day == kFullDay - 1 && first.offset == last.offset;
  if (!plain) return windows_of_moved_day(day, middle, width.value);
  std::vector<Window> windows;
  windows.reserve(static_cast<std::size_t>(kFullDay / width.value));
  for (auto t = begin; t < begin + kFullDay; t += width.value) {
    windows.push_back({{t}, {t + width.value}, false});
  }
  return windows;
}

}  // namespace schedlens::baseline
