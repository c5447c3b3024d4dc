// SPDX-License-Identifier: Apache-2.0
// A real cluster, hour by hour: quiet while it is as it is, and not when it is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"
#include "baseline/baseline.h"
#include "baseline/series_test.h"
#include "baseline/zone_test.h"

namespace schedlens::baseline {
namespace {

std::vector<double> column(std::string_view name) {
  std::ifstream file(SCHEDLENS_FIXTURES "/baseline/alibaba-gpu-2023-hourly.csv");
  std::vector<double> values;
  std::size_t index = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    auto cells = split(line, ',');
    if (cells.front() == "hour") {
      index = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
    } else {
      values.push_back(parse_number<double>(cells.at(index)).value());
    }
  }
  return values;
}

struct Counts {
  int hours = 0;    // judged
  int outside = 0;  // as they were, on the side that matters
  int faulty = 0;   // as a fault would have made them
};

// Judges each hour from the eighth day on as it was, and times the factor.
Counts play(std::string_view name, std::string_view watched_name, double factor) {
  InZone zone("UTC");
  auto watched = *find_watched(watched_name);
  watched.width = {3600};
  Calendar alike{Weekend(), {}};
  Baseline series(watched, alike);
  auto wanted = watched.direction == Direction::kLow ? State::kLow : State::kHigh;
  Counts counts;
  auto values = column(name);
  auto first = day("2026-11-02");
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto hour = static_cast<int>(i % 24);
    auto made = bucket(first + static_cast<int>(i / 24), hour, values[i]);
    made.begin = at("2026-11-02", 0) + Seconds{static_cast<std::int64_t>(i) * 3600};
    made.end = made.begin + Seconds{3600};
    if (i >= 7 * 24) {
      auto& expected = series.expected(made);
      EXPECT_TRUE(expected.band);
      auto changed = made;
      changed.value = values[i] * factor;
      ++counts.hours;
      counts.outside += judge(made, expected).state == wanted ? 1 : 0;
      counts.faulty += judge(changed, expected).state == wanted ? 1 : 0;
    }
    series.put(made);
  }
  return counts;
}

TEST(Trace, ARealClusterAlarmsOnceAWeekAtMost) {
  // 27 days of each are judged.
  auto gpus = play("gpus", "running_jobs", 0);
  EXPECT_EQ(gpus.hours, 27 * 24);
  EXPECT_EQ(gpus.outside, 0);
  EXPECT_GT(gpus.faulty, gpus.hours * 85 / 100);
  auto failed = play("failed", "jobs_failed", 20);
  EXPECT_LE(failed.outside, 1);
  EXPECT_GT(failed.faulty, failed.hours * 45 / 100);
  EXPECT_EQ(play("started", "job_starts", 1).outside, 0);
}

}  // namespace
}  // namespace schedlens::baseline
