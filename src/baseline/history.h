// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is kept of one series: one value for each window of the last four weeks, rolled up once. An
// hourly series takes 3.5 KB, one of 15 minutes 14 KB. One thread at a time.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baseline/buckets.h"
#include "baseline/day.h"

namespace schedlens::baseline {

class History {
 public:
  // How far it goes back, the newest day included.
  static constexpr int kDays = 29;

  // The width passes check_width().
  explicit History(Seconds width);

  Seconds width() const { return width_; }
  int windows() const { return windows_; }

  // Once a bucket is complete. One of the same place takes the place of the one before; one that is
  // older than what is kept is dropped.
  void put(const Bucket& bucket);
  void put(const Buckets& buckets);

  // The value, when it says something about what is usual.
  std::optional<double> usable(Day day, int window) const;
  // Why there is no usable value; empty where there is one.
  std::string why_not(Day day, int window) const;

 private:
  struct Note {
    Day day;
    int window;
    std::string text;
  };

  std::size_t row(Day day) const;
  void begin_day(Day day);

  Seconds width_;
  int windows_;
  std::array<Day, kDays> days_{};  // of each row
  std::vector<float> values_;      // row by row; no number where nothing is known
  std::vector<LeftOut> left_out_;  // of each value
  std::vector<Note> notes_;        // few
  Day newest_{INT32_MIN};
};

}  // namespace schedlens::baseline
