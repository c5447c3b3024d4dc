// SPDX-License-Identifier: Apache-2.0
#include "api/forecast_view.h"

#include <algorithm>

#include "api/json_parts.h"
#include "api/json_views.h"

namespace schedlens::api {
std::vector<ForecastRow> forecast_rows(const model::Snapshot& snapshot,
                                       const metrics::Forecasts& forecasts,
                                       const std::vector<std::string>& users) {
  std::vector<ForecastRow> rows;
  for (auto id : snapshot.pending()) {
    const auto user = snapshot.workload(id).user.view();
    if (!users.empty() && std::find(users.begin(), users.end(), user) == users.end()) continue;
    const auto it = forecasts.find(model::display_id(snapshot.workload(id)));
    if (it != forecasts.end()) rows.push_back({id, it->second});
  }
  return rows;
}

namespace {

void put_forecast(JsonWriter& json, const model::Workload& w,
                  const diagnose::StartForecast& forecast) {
  json.field("earliest", forecast.earliest);
  json.field("expected", forecast.expected);
  json.field("latest", forecast.latest);
  json.field("observed_run_times", forecast.observed);
  write_text(json, "unknown", forecast.unknown);
  json.field("schedulers", model::forecast(w));
}

void put_score(JsonWriter& json, std::string_view name, const metrics::ForecastScore& score) {
  json.key(name);
  json.object([&] {
    json.field("scored", score.count);
    json.field("median_error", score.median_error);
    json.field("within_range", score.within_range);
  });
}

}  // namespace

void write_start_forecast(JsonWriter& json, const model::Snapshot& snapshot, model::WorkloadId id,
                          const std::optional<diagnose::StartForecast>& forecast) {
  json.key("start_forecast");
  if (!forecast) {
    json.null();
    return;
  }
  json.object([&] { put_forecast(json, snapshot.workload(id), *forecast); });
}

void write_forecasts(JsonWriter& json, const View& view, const std::vector<ForecastRow>& rows,
                     std::uint64_t observed, const std::optional<ForecastScores>& scores) {
  const auto& s = view.snapshot;
  json.object([&] {
    write_head(json, view);
    json.field("observed_run_times", observed);
    json.key("scores");
    if (scores) {
      json.object([&] {
        put_score(json, "schedlens", scores->ours);
        put_score(json, "scheduler", scores->schedulers);
      });
    } else {
      json.null();
    }
    json.key("workloads");
    json.array([&] {
      for (const auto& row : rows) {
        const auto& w = s.workload(row.id);
        json.object([&] {
          json.field("id", model::display_id(w));
          write_text(json, "user", w.user.view());
          json.field("tasks", model::task_count(w));
          json.field("gpus_requested", model::gpus_requested(w));
          put_forecast(json, w, row.forecast);
        });
      }
    });
  });
}

}  // namespace schedlens::api
