// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is usual for a series at one time of the day: the median of that time on the days before
// that are like today, and how far from it is still usual. It names the days it was made of and
// those it was not, and is no expectation at all with fewer than four. Pure; any thread.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "baseline/buckets.h"
#include "baseline/calendar.h"
#include "baseline/day.h"
#include "baseline/history.h"
#include "baseline/spread.h"

namespace schedlens::baseline {

struct ExpectationOptions {
  SeriesKind kind = SeriesKind::kGauge;
  Floors floors;
  // So many spreads from the centre are still usual.
  double limit = 3.5;
  // Fewer usable days are no baseline.
  int least_days = 4;
  // What the series cannot leave: the band ends there.
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

struct DayUsed {
  Day day;
  double value = 0;
};

struct DayLeftOut {
  Day day;
  std::string why;  // "weekend", "maintenance: rack 7"
};

struct Band {
  double low = 0;
  double centre = 0;
  double high = 0;
  // One spread to either side, on the scale.
  Spread spread;
  Scale scale;

  bool holds(double value) const { return low <= value && value <= high; }
  // How many spreads the value lies above the centre; below it negative.
  double spreads(double value) const;
};

struct Expectation {
  // Nothing: no baseline.
  std::optional<Band> band;
  // Newest first. When the span touches two windows, of the one with the greater part.
  std::vector<DayUsed> used;
  std::vector<DayLeftOut> left_out;
  int least_days = 4;
  // "working day", "weekend", "holiday Christmas": what the days used have in common with the day.
  std::string day_name;
  // Why there is none although there may be days enough: the clock was moved at this time.
  std::string none_because;
  // The same weekday of the last weeks was so far off each time that the band was widened for it.
  std::vector<DayUsed> every_week;
};

// Of one window of a day.
Expectation expectation(const History& history, const Calendar& calendar, const Place& place,
                        const ExpectationOptions& options);
// Of a day as if it were of the other class: a working day as a day off.
Expectation expectation_as(DayClass as, const History& history, const Calendar& calendar,
                           const Place& place, const ExpectationOptions& options);
// The part of the span's time that is before the moment in it.
double part_before(Span span, Timestamp moment);
// Of a span that has part_of_first of its time in the window before that of last: a counter's rate
// is expected to be made of both by their parts, and a gauge may have the values of either. Has a
// band when that with the greater part has.
Expectation combined(const Expectation& first, const Expectation& last, double part_of_first,
                     SeriesKind kind);
// Of any span up to one width long.
Expectation expectation(const History& history, const Calendar& calendar, Span span,
                        const ExpectationOptions& options);

// Whether the windows of the day up to and with the given one lie where those of the other class of
// day do: three hours of them at least, four of five inside.
bool looks_like_other_class(const History& history, const Calendar& calendar, const Place& place,
                            double value, const ExpectationOptions& options);

// The bands of all windows that begin in the span, for export and charts; no band where there is no
// baseline.
struct BandPoint {
  Timestamp begin;
  Timestamp end;
  std::optional<Band> band;
};
std::vector<BandPoint> bands(const History& history, const Calendar& calendar, Span span,
                             const ExpectationOptions& options);

}  // namespace schedlens::baseline
