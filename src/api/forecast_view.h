// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens forecast` and /api/v1/forecast: when what waits will start; and /api/v1/run-times,
// what forecasts are made from, so that a command can make them from what a server has seen.

#include <optional>
#include <string>
#include <vector>

#include "api/view.h"
#include "base/json_writer.h"
#include "diagnose/start_forecast.h"
#include "metrics/forecast_book.h"

namespace schedlens::api {

struct ForecastRow {
  model::WorkloadId id;
  diagnose::StartForecast forecast;
};
// How good forecasts were so far; only a server knows.
struct ForecastScores {
  metrics::ForecastScore ours, schedulers;
};

// Of what waits, in the order of the queue: of these users, or of all where none is named.
std::vector<ForecastRow> forecast_rows(const model::Snapshot& snapshot,
                                       const metrics::Forecasts& forecasts,
                                       const std::vector<std::string>& users);

// The object "start_forecast" of a document; null without one.
void write_start_forecast(JsonWriter& json, const model::Snapshot& snapshot, model::WorkloadId id,
                          const std::optional<diagnose::StartForecast>& forecast);
void write_forecasts(JsonWriter& json, const View& view, const std::vector<ForecastRow>& rows,
                     std::uint64_t observed, const std::optional<ForecastScores>& scores);

}  // namespace schedlens::api
