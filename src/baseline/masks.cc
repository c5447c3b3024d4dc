// SPDX-License-Identifier: Apache-2.0
#include "baseline/masks.h"

#include <cmath>

namespace schedlens::baseline {
namespace {

constexpr std::int64_t kFullDay = 86400;
// Slurm does it in its first round after midnight.
constexpr std::int64_t kAfterMidnight = 300;
// Since when may be told as now less an age, and so wander by a second.
constexpr double kMoved = 2;

}  // namespace

std::vector<Mask> masks_while(std::span<const Point> active, LeftOut why, const std::string& note) {
  std::vector<Mask> masks;
  bool before = false;
  for (std::size_t i = 0; i < active.size(); ++i) {
    bool now = active[i].value > 0;
    if (now && !before) masks.push_back({active[i == 0 ? 0 : i - 1].at, active[i].at, why, note});
    if (now || before) masks.back().end = active[i].at;
    before = now;
  }
  return masks;
}

std::vector<Mask> masks_of_restarts(std::span<const Point> since, bool resets_daily) {
  std::vector<Mask> masks;
  for (std::size_t i = 1; i < since.size(); ++i) {
    auto to = since[i].value;
    if (std::abs(to - since[i - 1].value) < kMoved) continue;
    auto of_day = static_cast<std::int64_t>(to) % kFullDay;
    if (resets_daily && of_day < kAfterMidnight) continue;
    masks.push_back({since[i - 1].at, since[i].at, LeftOut::kControllerRestart, ""});
  }
  return masks;
}

}  // namespace schedlens::baseline
