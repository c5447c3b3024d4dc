// SPDX-License-Identifier: Apache-2.0
#pragma once
// Series for tests: points made by a function of the day and its second, and histories of values.

#include <functional>
#include <string_view>
#include <vector>

#include "baseline/buckets.h"
#include "baseline/history.h"

namespace schedlens::baseline {

inline Day day(std::string_view text) {
  return parse_day(text).value();
}

inline Timestamp midnight(std::string_view text) {
  return windows_of(day(text), {3600}).front().begin;
}

inline Timestamp at(std::string_view date, int hour, int minute = 0) {
  return midnight(date) + Seconds{hour * 3600 + minute * 60};
}

// From begin up to end, every step; none where make gives no number.
inline std::vector<Point> points(Timestamp begin, Timestamp end, Seconds step,
                                 const std::function<double(Timestamp)>& make) {
  std::vector<Point> list;
  for (auto t = begin; t < end; t = t + step) {
    if (auto value = make(t); value == value) list.push_back({t, value});
  }
  return list;
}

inline Bucket bucket(Day of, int window, double value) {
  Bucket made;
  made.day = of;
  made.window = window;
  made.value = value;
  return made;
}

// A value of now, as bucket_over() makes it.
inline Bucket now(Timestamp end, double value, Seconds length = {300}) {
  Bucket made;
  made.begin = {end.unix_seconds - length.value};
  made.end = end;
  made.value = value;
  return made;
}

// All hours of the days from the first up to, not including, the last.
inline void fill(History& history, Day first, Day last,
                 const std::function<double(Day, int)>& make) {
  for (auto of = first; of < last; of = of + 1) {
    for (int window = 0; window < history.windows(); ++window) {
      history.put(bucket(of, window, make(of, window)));
    }
  }
}

}  // namespace schedlens::baseline
