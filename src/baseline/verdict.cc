// SPDX-License-Identifier: Apache-2.0
#include "baseline/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/time_text.h"

namespace schedlens::baseline {
namespace {

// Within a share of the way from the centre to the edge of the band.
bool well_inside(double value, const Band& band, double share) {
  auto edge = value < band.centre ? band.low : band.high;
  return std::abs(value - band.centre) <= share * std::abs(edge - band.centre);
}

std::string day_text(Day day) {
  return fmt::format("{} {}", weekday_name(day), short_date(day));
}

// Without the word for what is counted, which the sentence has said already.
std::string bare(double value, std::string_view unit) {
  return shown(value, unit == "share" || unit == "s" || unit == "bytes" ? unit : "");
}

std::string days_used(const std::vector<DayUsed>& used, std::string_view unit) {
  std::string text;
  for (const auto& day : used) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", day_text(day.day), bare(day.value, unit));
  }
  return text;
}

// Days in a row that were left out for the same reason are named once.
std::string days_left_out(const std::vector<DayLeftOut>& days) {
  std::string text;
  for (std::size_t i = 0; i < days.size();) {
    auto last = i;
    while (last + 1 < days.size() && days[last + 1].why == days[i].why) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", day_text(days[i].day));
    if (last == i + 1) text += fmt::format(", {}", day_text(days[last].day));
    if (last > i + 1) text += fmt::format(" back to {}", day_text(days[last].day));
    text += fmt::format(" ({})", days[i].why);
    i = last + 1;
  }
  return text;
}

std::string compared(const Verdict& verdict, const Band& band, std::string_view unit) {
  auto usual = fmt::format("{} ({} to {})", bare(band.centre, unit), bare(band.low, unit),
                           bare(band.high, unit));
  auto value = verdict.value ? shown(*verdict.value, unit) : "no value";
  if (verdict.state != State::kHigh && verdict.state != State::kLow) {
    return fmt::format("{}, as usual: {}", value, usual);
  }
  auto text = fmt::format("{}, {:.1f} spreads {} the usual {}", value, std::abs(verdict.spreads),
                          verdict.spreads < 0 ? "below" : "above", usual);
  if (verdict.since && *verdict.since < verdict.at) {
    text += fmt::format(" for {}", short_duration(verdict.at - *verdict.since));
  }
  return text;
}

}  // namespace

std::string_view name(State state) {
  switch (state) {
    case State::kNormal:
      return "normal";
    case State::kHigh:
      return "high";
    case State::kLow:
      return "low";
    case State::kNoBaseline:
      return "no_baseline";
    case State::kNotJudged:
      return "not_judged";
  }
  return "";
}

Verdict judge(const Bucket& now, const Expectation& expected) {
  Verdict verdict;
  verdict.at = now.end;
  verdict.value = now.value;
  if (!now.value || now.left_out != LeftOut::kNot) {
    verdict.state = State::kNotJudged;
    verdict.not_judged_because = why_left_out(now);
    return verdict;
  }
  if (!expected.band) return verdict;
  const auto& band = *expected.band;
  verdict.spreads = band.spreads(*now.value);
  verdict.state = *now.value > band.high  ? State::kHigh
                  : *now.value < band.low ? State::kLow
                                          : State::kNormal;
  return verdict;
}

Verdict judge(const Bucket& now, const Expectation& expected, const Persistence& persistence,
              Direction direction, Streak& streak, bool like_other_class) {
  auto verdict = judge(now, expected);
  verdict.like_other_class = like_other_class;
  streak.add(verdict, expected, persistence, direction);
  return verdict;
}

int Streak::count(Mark mark) const {
  return static_cast<int>(std::count_if(seen_.begin(), seen_.end(),
                                        [&](const Seen& seen) { return seen.mark == mark; }));
}

void Streak::add(Verdict& verdict, const Expectation& expected, const Persistence& persistence,
                 Direction direction) {
  if (!expected.band || verdict.state == State::kNotJudged || !verdict.value) {
    if (++unjudged_ >= persistence.of) {
      alarm_ = Mark::kInside;
      seen_.clear();
    }
  } else {
    unjudged_ = 0;
    auto mark = Mark::kBetween;
    bool counts = !verdict.like_other_class;
    if (counts && verdict.state == State::kHigh && direction != Direction::kLow) mark = Mark::kHigh;
    if (counts && verdict.state == State::kLow && direction != Direction::kHigh) mark = Mark::kLow;
    if (verdict.state == State::kNormal &&
        well_inside(*verdict.value, *expected.band, persistence.clear_share)) {
      mark = Mark::kInside;
    }
    seen_.push_back({mark, verdict.at});
    if (static_cast<int>(seen_.size()) > persistence.of) seen_.erase(seen_.begin());
    for (auto side : {Mark::kHigh, Mark::kLow}) {
      if (alarm_ == side || count(side) < persistence.outside) continue;
      alarm_ = side;
      since_ = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& seen) {
                 return seen.mark == side;
               })->at;
    }
    if (count(Mark::kInside) >= persistence.outside) alarm_ = Mark::kInside;
  }
  verdict.alarm = alarm_ == Mark::kHigh || alarm_ == Mark::kLow;
  if (verdict.alarm) verdict.since = since_;
}

std::string shown(double value, std::string_view unit) {
  if (unit == "share") return fmt::format("{:.0f} %", 100 * value);
  if (unit == "s" && value >= 10) return short_duration({std::llround(value)});
  if (unit == "bytes") return short_bytes({std::llround(value)});
  bool whole = std::abs(value) >= 100 || value == std::round(value);
  auto number = whole ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

std::string sentence(const Verdict& verdict, const Expectation& expected, std::string_view unit) {
  std::string text;
  if (verdict.state == State::kNotJudged) {
    text = fmt::format("not judged ({})", verdict.not_judged_because);
  } else if (!expected.band) {
    auto value = verdict.value ? shown(*verdict.value, unit) : "no value";
    text = expected.none_because.empty()
               ? fmt::format("{}, no baseline ({} of {} days)", value, expected.used.size(),
                             expected.least_days)
               : fmt::format("{}, no baseline ({})", value, expected.none_because);
  } else {
    text = compared(verdict, *expected.band, unit);
  }
  if (!expected.used.empty()) {
    text += fmt::format("; the same time on {}", days_used(expected.used, unit));
  }
  if (!expected.left_out.empty()) {
    text += fmt::format("; left out {}", days_left_out(expected.left_out));
  }
  if (!expected.every_week.empty()) {
    text += fmt::format("; widened, since every week it was so: {}",
                        days_used(expected.every_week, unit));
  }
  if (verdict.like_other_class) {
    text +=
        fmt::format("; today is a {} and looks like {}", expected.day_name,
                    expected.day_name == "working day" ? "a day off: is it missing in the holidays?"
                                                       : "a working day");
  }
  return text;
}

}  // namespace schedlens::baseline
