// SPDX-License-Identifier: Apache-2.0
#pragma once
// What touched the past, read off the scheduler's own series: so that nobody has to keep a diary of
// restarts and maintenance for the baselines' sake. Pure; any thread.

#include <span>
#include <string>
#include <vector>

#include "baseline/buckets.h"

namespace schedlens::baseline {

// While a series of 0 and 1 is 1, as schedlens_reservation_active is. From the last sample that was
// not to the first that is not again, or to the last there is; a gap in the samples ends none.
std::vector<Mask> masks_while(std::span<const Point> active, LeftOut why, const std::string& note);

// Whenever a series that says since when something runs, in seconds since 1970, moves to another
// moment, as schedlens_scheduler_statistics_since_timestamp_seconds does. From the last sample
// before to the first after. Midnight UTC is left out when the series also moves then without any
// restart (resets_daily), as Slurm's does.
std::vector<Mask> masks_of_restarts(std::span<const Point> since, bool resets_daily);

}  // namespace schedlens::baseline
