// SPDX-License-Identifier: Apache-2.0
// The days that count. Those of the last seven that are of the same class (working day or day off)
// and have a usable value. Where these are fewer than it takes, as on every weekend, the search
// goes on backwards, up to 28 days, until there are seven. The spread is found by the same rule at
// all times of the day (spread.h), so it says how far off this very method was lately.
#include "baseline/expectation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "baseline/median.h"

namespace schedlens::baseline {
namespace {

constexpr int kWeek = 7;
constexpr int kFurthest = 28;
constexpr std::size_t kMostDays = 7;
// Times within so many hours count as near.
constexpr int kNearHours = 2;
constexpr std::size_t kWeeksAlike = 3;

double hours(Seconds duration) {
  return static_cast<double>(duration.value) / 3600;
}

class Finder {
 public:
  Finder(const History& history, const Calendar& calendar, Day today, DayClass as,
         const ExpectationOptions& options)
      : history_(history),
        calendar_(calendar),
        today_(today),
        as_(as),
        options_(options),
        scale_(options.floors, rate_hours()) {
    for (int back = 0; back <= kFurthest; ++back) {
      classes_[static_cast<std::size_t>(back)] = calendar.class_of(today - back);
    }
  }

  Expectation find(int window) const {
    Expectation found;
    found.least_days = options_.least_days;
    found.day_name = calendar_.name_of(today_);
    found.used = used(window, &found.left_out);
    if (static_cast<int>(found.used.size()) < options_.least_days) return found;
    std::vector<double> values;
    for (const auto& day : found.used) values.push_back(day.value);
    auto spread = spread_at(window);
    found.band = band(median_of(values), spread);
    widen_for_weekday(window, spread, found);
    return found;
  }

 private:
  bool alike(int back) const { return classes_[static_cast<std::size_t>(back)] == as_; }

  std::vector<DayUsed> used(int window, std::vector<DayLeftOut>* left_out) const {
    std::vector<DayUsed> days;
    for (int back = 1; back <= kFurthest; ++back) {
      if (back == kWeek + 1 && static_cast<int>(days.size()) >= options_.least_days) break;
      if (days.size() == kMostDays) break;
      auto day = today_ - back;
      auto value = alike(back) ? history_.usable(day, window) : std::nullopt;
      if (value) {
        days.push_back({day, *value});
      } else if (left_out && (back <= kWeek || alike(back))) {
        left_out->push_back(
            {day, alike(back) ? history_.why_not(day, window) : calendar_.name_of(day)});
      }
    }
    if (left_out) forget_days_before_all_data(days, *left_out);
    return days;
  }

  // Of a series that is only days old, "no data" on twenty days before it began says nothing more
  // than that.
  static void forget_days_before_all_data(const std::vector<DayUsed>& days,
                                          std::vector<DayLeftOut>& left_out) {
    while (!left_out.empty() && left_out.back().why == "no data" &&
           (days.empty() || left_out.back().day < days.back().day) && left_out.size() > kMostDays) {
      left_out.pop_back();
    }
  }

  Spread spread_at(int window) const {
    if (ends_.empty()) find_errors();
    auto windows = history_.windows();
    auto reach = std::max(1, kNearHours * windows / 24);
    std::vector<double> near;
    for (int w = 0; w < windows; ++w) {
      auto apart = std::abs(w - window);
      if (std::min(apart, windows - apart) > reach) continue;
      auto begin = w == 0 ? 0 : ends_[static_cast<std::size_t>(w) - 1];
      near.insert(near.end(), errors_.begin() + begin,
                  errors_.begin() + ends_[static_cast<std::size_t>(w)]);
    }
    auto all = errors_;
    return spread_of(all, near);
  }

  void find_errors() const {
    std::vector<double> values;
    for (int w = 0; w < history_.windows(); ++w) {
      values.clear();
      for (const auto& day : used(w, nullptr)) values.push_back(day.value);
      add_errors(values, scale_, errors_);
      ends_.push_back(static_cast<std::ptrdiff_t>(errors_.size()));
    }
  }

  double rate_hours() const {
    return options_.kind == SeriesKind::kCounter ? hours(history_.width()) : 1;
  }

  Band band(double centre, const Spread& spread) const {
    Band band;
    band.centre = centre;
    band.spread = spread;
    band.scale = scale_;
    auto middle = scale_.to(centre);
    band.low = std::max(options_.least, scale_.from(middle - options_.limit * spread.down));
    band.high = std::min(options_.most, scale_.from(middle + options_.limit * spread.up));
    return band;
  }

  // What happens every Thursday at this time is usual on a Thursday.
  void widen_for_weekday(int window, const Spread& spread, Expectation& found) const {
    std::vector<DayUsed> weekday;
    std::vector<double> values;
    bool all_above = true, all_below = true;
    for (int back = kWeek; back <= kFurthest; back += kWeek) {
      if (!alike(back)) continue;
      auto value = history_.usable(today_ - back, window);
      if (!value) continue;
      weekday.push_back({today_ - back, *value});
      values.push_back(*value);
      all_above = all_above && *value > found.band->high;
      all_below = all_below && *value < found.band->low;
    }
    if (values.size() < kWeeksAlike || !(all_above || all_below)) return;
    auto of_weekday = band(median_of(values), spread);
    found.band->high = std::max(found.band->high, of_weekday.high);
    found.band->low = std::min(found.band->low, of_weekday.low);
    found.every_week = std::move(weekday);
  }

  const History& history_;
  const Calendar& calendar_;
  Day today_;
  DayClass as_;
  const ExpectationOptions& options_;
  Scale scale_;
  std::array<DayClass, kFurthest + 1> classes_{};
  // Of all windows, one after the other, and where those of each end; found when first wanted.
  mutable std::vector<double> errors_;
  mutable std::vector<std::ptrdiff_t> ends_;
};

Band mixed(const Band& a, const Band& b, double share_of_a) {
  auto mix = [&](double x, double y) { return share_of_a * x + (1 - share_of_a) * y; };
  return {mix(a.low, b.low),
          mix(a.centre, b.centre),
          mix(a.high, b.high),
          {mix(a.spread.up, b.spread.up), mix(a.spread.down, b.spread.down)},
          a.scale};
}

}  // namespace

double Band::spreads(double value) const {
  auto distance = scale.to(value) - scale.to(centre);
  return distance / (distance < 0 ? spread.down : spread.up);
}

double part_before(Span span, Timestamp moment) {
  return static_cast<double>((moment - span.begin).value) /
         static_cast<double>((span.end - span.begin).value);
}

Expectation expectation_as(DayClass as, const History& history, const Calendar& calendar,
                           const Place& place, const ExpectationOptions& options) {
  if (place.bounds.moved) {
    Expectation none;
    none.least_days = options.least_days;
    none.day_name = calendar.name_of(place.day);
    none.none_because = "the clock is moved at this time today";
    return none;
  }
  return Finder(history, calendar, place.day, as, options).find(place.window);
}

Expectation expectation(const History& history, const Calendar& calendar, const Place& place,
                        const ExpectationOptions& options) {
  return expectation_as(calendar.class_of(place.day), history, calendar, place, options);
}

Expectation combined(const Expectation& first, const Expectation& last, double part_of_first,
                     SeriesKind kind) {
  bool first_is_greater = part_of_first > 0.5;
  auto result = first_is_greater ? first : last;
  if (!first.band || !last.band) return result;
  if (kind == SeriesKind::kCounter) {
    result.band = mixed(*first.band, *last.band, part_of_first);
  } else {
    result.band->low = std::min(first.band->low, last.band->low);
    result.band->high = std::max(first.band->high, last.band->high);
  }
  return result;
}

Expectation expectation(const History& history, const Calendar& calendar, Span span,
                        const ExpectationOptions& options) {
  auto place = place_of(span.end + Seconds{-1}, history.width());
  auto last = expectation(history, calendar, place, options);
  if (span.begin >= place.bounds.begin) return last;
  auto first = expectation(history, calendar, place_of(span.begin, history.width()), options);
  return combined(first, last, part_before(span, place.bounds.begin), options.kind);
}

bool looks_like_other_class(const History& history, const Calendar& calendar, const Place& place,
                            double value, const ExpectationOptions& options) {
  auto other = calendar.class_of(place.day) == DayClass::kOff ? DayClass::kWorking : DayClass::kOff;
  Finder finder(history, calendar, place.day, other, options);
  auto now = finder.find(place.window).band;
  if (!now || !now->holds(value)) return false;
  int inside = 0, seen = 0;
  for (int window = 0; window < place.window; ++window) {
    auto earlier = history.usable(place.day, window);
    auto band = earlier ? finder.find(window).band : std::nullopt;
    if (!band) continue;
    ++seen;
    inside += band->holds(*earlier) ? 1 : 0;
  }
  return seen * 24 >= 3 * history.windows() && inside * 5 >= seen * 4;
}

std::vector<BandPoint> bands(const History& history, const Calendar& calendar, Span span,
                             const ExpectationOptions& options) {
  std::vector<BandPoint> points;
  for (auto day = local_day(span.begin); day <= local_day(span.end); day = day + 1) {
    Finder finder(history, calendar, day, calendar.class_of(day), options);
    auto windows = windows_of(day, history.width());
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const auto& window = windows[i];
      if (window.begin < span.begin || window.begin >= span.end || window.end <= window.begin) {
        continue;
      }
      BandPoint point{window.begin, window.end, std::nullopt};
      if (!window.moved) point.band = finder.find(static_cast<int>(i)).band;
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace schedlens::baseline
