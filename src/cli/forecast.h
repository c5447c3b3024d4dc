// SPDX-License-Identifier: Apache-2.0
#pragma once
// The screen of `schedlens forecast`, and the sentence on one start that `why` prints.

#include <string>
#include <vector>

#include "api/forecast_view.h"
#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// "about 14:20 (in 35m), most likely from 14:05 to 15:10, by the run times of 30 ended jobs"
std::string start_sentence(const model::Snapshot& snapshot, model::WorkloadId id,
                           const diagnose::StartForecast& forecast);

// Without what the scheduler says.
std::string start_clause(const model::Snapshot& snapshot, const diagnose::StartForecast& forecast);

std::string render_forecasts(const model::Snapshot& snapshot,
                             const std::vector<api::ForecastRow>& rows, std::uint64_t observed,
                             const Style& style);

}  // namespace schedlens::cli
