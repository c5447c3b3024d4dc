// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which days are alike: working days, and days off, which are the weekend and the holidays of a
// file that the operator keeps. Immutable; any thread.

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "baseline/day.h"

namespace schedlens::baseline {

enum class DayClass : std::uint8_t { kWorking, kOff };

struct Holiday {
  // Both included. Without a year (every_year) the year of both is 2000.
  Day first;
  Day last;
  bool every_year = false;
  std::string name;
};

// One holiday a line, as in
//   2026-11-26 Thanksgiving
//   2026-12-24..2027-01-01 shutdown
//   12-25 Christmas              (every year)
// with comments from # to the end of the line. Fails with the number of the line.
Result<std::vector<Holiday>> parse_holidays(std::string_view text);

// By weekday, Sunday first.
using Weekend = std::bitset<7>;

// "sat,sun"; "none" for a cluster on which all days are alike.
Result<Weekend> parse_weekend(std::string_view text);

class Calendar {
 public:
  // Saturday and Sunday, no holidays.
  Calendar();
  Calendar(Weekend weekend, std::vector<Holiday> holidays);

  DayClass class_of(Day day) const;
  // What the day is: "working day", "weekend", "holiday Christmas".
  std::string name_of(Day day) const;

 private:
  const Holiday* holiday(Day day) const;

  Weekend weekend_;
  std::vector<Holiday> holidays_;
};

}  // namespace schedlens::baseline
