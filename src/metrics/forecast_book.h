// SPDX-License-Identifier: Apache-2.0
#pragma once
// Forecasts starts, and keeps the first forecast of each job to hold it against when it really
// started.
//
// Every Snapshot is fed once, in order. Forecasts are made anew as often as they cost no more than
// a twentieth of the time. All of it lives in memory only. Any thread may call.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/units.h"
#include "diagnose/observed.h"
#include "diagnose/start_forecast.h"
#include "metrics/exposition.h"
#include "model/snapshot.h"

namespace schedlens::metrics {

// By display id: they outlive the Snapshot they were made of.
using Forecasts = std::unordered_map<std::string, diagnose::StartForecast>;
Forecasts forecast_all(const model::Snapshot& snapshot, const diagnose::Observed& observed);

// How good forecasts were, over the newest thousand that were held against a start.
struct ForecastScore {
  std::uint64_t count = 0;
  std::optional<Seconds> median_error;  // of the distance between forecast and start
  std::uint64_t within_range = 0;
};

class ForecastBook {
 public:
  ForecastBook();

  // observed: without the lateness, of which the book keeps its own.
  void feed(const model::Snapshot& snapshot, const diagnose::Observed& observed);
  // The last one made; absent for what was not in their Snapshot.
  std::optional<diagnose::StartForecast> forecast(const model::Workload& w) const;
  Forecasts current() const;
  // How the newest forecasts turned out, as they were before they were corrected by it.
  diagnose::Lateness lateness() const;
  // Workloads that were seen to end.
  std::uint64_t observed() const;
  ForecastScore ours() const;
  // Of the forecasts that the scheduler itself made of the same jobs; they have no range.
  ForecastScore schedulers() const;
  void write(Exposition& out) const;

 private:
  struct Page {
    Timestamp made;
    diagnose::StartForecast ours;
    Timestamp uncorrected;  // what was expected
    std::optional<Timestamp> schedulers;
    std::uint64_t round = 0;
  };
  class Scores {
   public:
    explicit Scores(std::span<const double> bounds) : errors_(bounds) {}
    // Seconds by which it started later than forecast.
    void add(std::int64_t seconds_later, bool within_range);
    ForecastScore newest() const;
    const Histogram& errors() const { return errors_; }
    std::uint64_t within = 0, earlier = 0, later = 0;

   private:
    Histogram errors_;
    std::deque<std::pair<std::int64_t, bool>> newest_;
  };

  void score(const model::Snapshot& snapshot);
  void make(const model::Snapshot& snapshot, const diagnose::RunTimes& run_times);
  diagnose::Lateness lateness_;

  mutable std::mutex mutex_;
  std::uint64_t observed_ = 0;
  Forecasts current_;
  std::unordered_map<std::uint32_t, Page> pages_;  // by job id
  std::optional<Timestamp> due_;
  std::uint64_t round_ = 0;
  Scores ours_, schedulers_;
};

}  // namespace schedlens::metrics
