// SPDX-License-Identifier: Apache-2.0
#pragma once
// Local days and the windows of their clock, in the machine's time zone (TZ): what "the same time
// of day" means on the days on which the clock is moved. Any thread, once use_zone() is done.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace schedlens::baseline {

// Makes name, as in "Europe/Berlin", the time zone of the whole process; "" leaves it as it is.
// Before any thread starts. Fails for a zone that the machine's tzdata do not have: libc would take
// UTC without a word.
Status use_zone(const std::string& name);

// A day of the calendar, counted from 1970-01-01.
struct Day {
  std::int32_t number = 0;

  friend auto operator<=>(const Day&, const Day&) = default;
  friend Day operator+(Day day, int days) { return {day.number + days}; }
  friend Day operator-(Day day, int days) { return {day.number - days}; }
};

// 0 is Sunday.
int weekday(Day day);
// "Mon"
std::string_view weekday_name(Day day);
// "2026-11-30"
std::string iso_date(Day day);
// "23 Nov"
std::string short_date(Day day);
// The reverse of iso_date(); nothing for what is no day of the calendar.
std::optional<Day> parse_day(std::string_view text);

Day local_day(Timestamp moment);

// From begin up to, not including, end.
struct Window {
  Timestamp begin;
  Timestamp end;
  // The clock was moved in it: it lasts longer or shorter than its width, or did not happen at all.
  bool moved = false;
};

// Whether windows of this width are whole minutes and divide a day.
Status check_width(Seconds width);

// A window and where it stands in the calendar.
struct Place {
  Day day;
  int window = 0;  // of the day, from 00:00 on
  Window bounds;
};

// The window that the moment is in. The width passes check_width().
Place place_of(Timestamp moment, Seconds width);

// The windows of one local day, from 00:00 on: as many on every day. The width passes
// check_width().
std::vector<Window> windows_of(Day day, Seconds width);

}  // namespace schedlens::baseline
