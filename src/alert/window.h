// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much series have grown or changed within a window, kept from one evaluation to the next.
//
// Growth is added up over the series of a group as it happens, so that only one row of points is
// kept for a group however many series it has. A counter that falls has started again from 0. The
// first value of a series is no growth. One thread at a time.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alert/labels.h"
#include "alert/rule.h"

namespace schedlens::alert {

class Window {
 public:
  struct Point {
    Timestamp time;
    double total = 0;
  };
  struct Series {
    double last = 0;
    Timestamp seen;
  };
  struct Group {
    double total = 0;
    std::deque<Point> points;
  };
  struct Growth {
    double increase = 0;
    Seconds covered{0};
    bool full = false;  // the whole window is covered
  };

  explicit Window(Seconds width = {}, bool changes = false) : width_(width), changes_(changes) {}

  // All samples of one moment, then close() for it.
  void take(const Labels& group, const Labels& series, double value, Timestamp now);
  void close(Timestamp now);

  // Nothing with less than two moments. Groups without a series at the last moment have none.
  std::optional<Growth> growth(const Labels& group, Timestamp now) const;
  std::vector<Labels> groups() const;

  // Series beyond this many are left out.
  static constexpr std::size_t kMostSeries = 20'000;

  // For the file of the state.
  const std::map<std::string, Series>& all_series() const { return series_; }
  const std::map<Labels, Group>& all_groups() const { return groups_; }
  void restore(std::map<std::string, Series> series, std::map<Labels, Group> groups);

 private:
  void trim_points(Group& group, Timestamp now) const;

  Seconds width_;
  bool changes_;
  std::map<std::string, Series> series_;  // by their labels as text
  std::map<Labels, Group> groups_;
};

}  // namespace schedlens::alert
