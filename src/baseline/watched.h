// SPDX-License-Identifier: Apache-2.0
#pragma once
// The series that are watched unless somebody says otherwise: metrics as docs/metrics.md names
// them, what is worth an alarm about them, and how far they may stray whatever their past says. One
// table; any thread.

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "baseline/expectation.h"
#include "baseline/verdict.h"

namespace schedlens::baseline {

struct Watched {
  // What alarms and configuration call it: "pending_jobs".
  std::string_view name = {};
  // What people call it: "waiting jobs".
  std::string_view title = {};
  // The metric, and the labels that its series must have, as "state=running,since=eligible".
  std::string_view metric = {};
  std::string_view where = {};
  // What it is divided by, bucket by bucket (divided()): the whole of a share, the count of a sum.
  // `where` and `per` hold for it, too. Empty for most.
  std::string_view divisor = {};
  // Labels that tell its series apart; what differs in other labels is added up.
  std::string_view per = {};
  // "" for a count of title's things, "share", "s", "per hour".
  std::string_view unit = {};
  SeriesKind kind = SeriesKind::kGauge;
  Direction direction = Direction::kBoth;
  Floors floors = {};
  // Of one bucket of the past; of the value that is judged now: the newest samples of so long.
  Seconds width{3600};
  Seconds recent{300};
  double most = std::numeric_limits<double>::infinity();
  // Spreads from the centre that are still usual.
  double limit = 3.5;
  Persistence persistence = {};
  // Counters that start again from 0 at midnight UTC (sdiag_resets()).
  bool resets_daily = false;
};

std::span<const Watched> watched_series();
// Nothing when there is none of that name.
const Watched* find_watched(std::string_view name);

ExpectationOptions options_of(const Watched& watched);

}  // namespace schedlens::baseline
