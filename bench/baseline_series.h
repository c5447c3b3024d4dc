// SPDX-License-Identifier: Apache-2.0
#pragma once
// Made-up series of a cluster, a value a minute: the rhythm of the day and of the week, noise that
// lasts for hours, bursts with a heavy tail, counting; and faults put into them.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string_view>
#include <vector>

#include "baseline/buckets.h"

namespace schedlens::bench {

using baseline::Point;

constexpr std::int64_t kMinutesOfDay = 1440;

enum class Shape : std::uint8_t {
  kStep,
  kDouble,
  kSpike,
  kRamp,
  kZero,
  kHalf,
  kSink,
  kTenfold,
  kGap
};

struct Fault {
  Shape shape = Shape::kStep;
  std::int64_t begin = 0;  // minutes
  std::int64_t end = 0;
};

constexpr std::string_view words(Shape shape) {
  constexpr std::array<std::string_view, 9> kWords = {
      "x3 for 6 h",     "x2 for 6 h",   "x5 for 20 min", "x1 to x4 in 12 h", "to 0 for 2 h",
      "halved for 6 h", "to 0 in 12 h", "x10 for 2 h",   "no data for 2 h"};
  return kWords[static_cast<std::size_t>(shape)];
}

constexpr std::int64_t minutes_of(Shape shape) {
  constexpr std::array<std::int64_t, 9> kMinutes = {360, 360, 20, 720, 120, 360, 720, 120, 120};
  return kMinutes[static_cast<std::size_t>(shape)];
}

// What the fault makes of a level, when part of its time is over.
inline double factor(Shape shape, double part) {
  switch (shape) {
    case Shape::kStep:
      return 3;
    case Shape::kDouble:
      return 2;
    case Shape::kSpike:
      return 5;
    case Shape::kRamp:
      return 1 + 3 * part;
    case Shape::kZero:
      return 0;
    case Shape::kHalf:
      return 0.5;
    case Shape::kSink:
      return 1 - part;
    case Shape::kTenfold:
      return 10;
    case Shape::kGap:
      break;
  }
  return 1;
}

// How a kind of series behaves. The names are those of the watched series.
struct Kind {
  std::string_view watched;
  double level = 1;
  double day = 0.5;       // the rhythm of the day: this much above and below the level
  double weekend = 0.5;   // of the level of working days
  double hours = 0.2;     // noise that lasts for hours, as a share
  double minutes = 0.05;  // and from minute to minute
  double bursts = 0;      // bursts a day
  bool counts = false;    // a counter of events: the level is per hour
  bool whole = false;     // a number of things
  double most = 1e18;
  double usual_limit = 0;  // the fixed threshold that one finds recommended, or would begin with
};

constexpr std::array<Kind, 6> kKinds = {{
    {"pending_jobs", 200, 0.5, 0.5, 0.2, 0.03, 0.3, false, true, 1e18, 500},
    {"oldest_wait", 7200, 0.4, 0.6, 0.25, 0.01, 0.2, false, false, 1e18, 86400},
    {"scheduler_cycle", 0.8, 0.4, 0.6, 0.15, 0.3, 1, false, false, 1e18, 10},
    {"jobs_failed", 1.5, 0.5, 0.6, 0.1, 0, 0, true, false, 1e18, 10},
    {"gpu_allocated_share", 0.86, 0.05, 0.88, 0.02, 0.005, 0, false, false, 1, 0.5},
    {"job_starts", 60, 0.6, 0.4, 0.15, 0, 0.3, true, false, 1e18, 1},
}};

class Maker {
 public:
  Maker(const Kind& kind, std::uint64_t seed) : kind_(kind), random_(seed) {}

  // From Monday 00:00 on; faults must not overlap.
  std::vector<Point> make(std::int64_t begin, std::int64_t minutes,
                          const std::vector<Fault>& faults) {
    std::vector<Point> points;
    points.reserve(static_cast<std::size_t>(minutes));
    double total = 0;
    auto fault = faults.begin();
    for (std::int64_t m = 0; m < minutes; ++m) {
      while (fault != faults.end() && fault->end <= m) ++fault;
      auto level = std::min(kind_.most, normal_level(m));
      if (kind_.counts) level /= 60;
      bool gap = false;
      if (fault != faults.end() && fault->begin <= m) {
        auto part =
            static_cast<double>(m - fault->begin) / static_cast<double>(fault->end - fault->begin);
        level *= factor(fault->shape, part);
        gap = fault->shape == Shape::kGap;
      }
      auto value = level;
      if (kind_.counts) {
        total += level > 0 ? std::poisson_distribution<int>(level)(random_) : 0;
        value = total;
      }
      if (kind_.whole) value = std::round(value);
      if (!gap) points.push_back({{begin + m * 60}, value});
    }
    return points;
  }

 private:
  double normal_level(std::int64_t m) {
    if (m % 60 == 0) {
      before_ = after_;
      after_ = 0.7 * after_ + std::sqrt(1 - 0.49) * kind_.hours * normal_(random_);
    }
    auto part = static_cast<double>(m % 60) / 60;
    auto noise = before_ + part * (after_ - before_) + kind_.minutes * normal_(random_);
    auto of_day = static_cast<double>(m % kMinutesOfDay) / kMinutesOfDay;
    auto rhythm = 1 - kind_.day * std::cos(2 * std::numbers::pi * (of_day - 2.0 / 24));
    bool weekend = m / kMinutesOfDay % 7 >= 5;
    if (kind_.bursts > 0 && uniform_(random_) < kind_.bursts / kMinutesOfDay) {
      burst_ += 0.3 * std::pow(1 - uniform_(random_), -1 / 2.5);  // Pareto: now and then ten times
    }
    burst_ *= std::exp(-1.0 / 20);
    return kind_.level * rhythm * (weekend ? kind_.weekend : 1) * std::exp(noise) * (1 + burst_);
  }

  const Kind& kind_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double before_ = 0, after_ = 0, burst_ = 0;
};

}  // namespace schedlens::bench
