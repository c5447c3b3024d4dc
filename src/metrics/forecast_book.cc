// SPDX-License-Identifier: Apache-2.0
#include "metrics/forecast_book.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "model/started.h"

namespace schedlens::metrics {
namespace {

constexpr double kBounds[] = {10, 30, 60, 300, 600, 1800, 3600, 7200, 14400, 43200, 86400, 604800};
constexpr std::size_t kNewest = 1000;
constexpr std::size_t kMostPages = 100'000;
constexpr double kShareOfTime = 0.05;

// Array tasks get another id when they start, components of a group start together: neither is
// followed from one Snapshot to the next.
bool followed(const model::Workload& w) {
  return !w.pod && !w.array && !w.het;
}

}  // namespace

Forecasts forecast_all(const model::Snapshot& snapshot, const diagnose::Observed& observed) {
  const diagnose::StartForecasts made(snapshot, observed.run_times);
  Forecasts forecasts;
  for (const auto& [id, forecast] : made.all()) {
    forecasts.emplace(model::display_id(snapshot.workload(id)),
                      diagnose::corrected(forecast, snapshot.time, observed.lateness));
  }
  return forecasts;
}

ForecastBook::ForecastBook() : ours_(kBounds), schedulers_(kBounds) {}

void ForecastBook::feed(const model::Snapshot& snapshot, const diagnose::Observed& observed) {
  {
    std::lock_guard lock(mutex_);
    observed_ = observed.run_times.size();
    score(snapshot);
    if (due_ && snapshot.time < *due_) return;
  }
  make(snapshot, observed.run_times);
}

void ForecastBook::score(const model::Snapshot& snapshot) {
  ++round_;
  for (const auto& w : snapshot.workloads) {
    if (!followed(w)) continue;
    auto it = pages_.find(w.job_id);
    if (it == pages_.end()) continue;
    auto& page = it->second;
    page.round = round_;
    if (!model::has_started(w, snapshot.time)) {
      if (!page.schedulers) page.schedulers = model::forecast(w);
      continue;
    }
    const auto start = *w.start;
    if (start >= page.made) {
      const auto& f = page.ours;
      const bool early = f.earliest && start < *f.earliest, late = f.latest && start > *f.latest;
      ours_.add((start - *f.expected).value, !early && !late);
      lateness_.add(static_cast<double>((start - page.made).value) /
                    static_cast<double>((page.uncorrected - page.made).value));
      if (page.schedulers) schedulers_.add((start - *page.schedulers).value, false);
      ++(early ? ours_.earlier : late ? ours_.later : ours_.within);
    }
    pages_.erase(it);
  }
  // A page without its job: it was cancelled, or nobody saw it run.
  std::erase_if(pages_, [&](const auto& entry) { return entry.second.round != round_; });
}

void ForecastBook::make(const model::Snapshot& snapshot, const diagnose::RunTimes& run_times) {
  const auto begun = std::clock();
  const diagnose::StartForecasts made(snapshot, run_times);
  const auto cost = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  std::lock_guard lock(mutex_);
  due_ = snapshot.time + Seconds{static_cast<std::int64_t>(cost / kShareOfTime)};
  current_.clear();
  for (auto id : snapshot.pending()) {
    const auto* raw = made.find(id);
    if (!raw) continue;
    const auto& w = snapshot.workload(id);
    auto forecast = diagnose::corrected(*raw, snapshot.time, lateness_);
    // What starts at once is no forecast.
    if (followed(w) && raw->expected && *raw->expected > snapshot.time &&
        pages_.size() < kMostPages) {
      pages_.try_emplace(w.job_id,
                         Page{snapshot.time, forecast, *raw->expected, model::forecast(w), round_});
    }
    current_.emplace(model::display_id(w), std::move(forecast));
  }
}

std::optional<diagnose::StartForecast> ForecastBook::forecast(const model::Workload& w) const {
  std::lock_guard lock(mutex_);
  const auto it = current_.find(model::display_id(w));
  if (it == current_.end()) return std::nullopt;
  return it->second;
}

Forecasts ForecastBook::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

diagnose::Lateness ForecastBook::lateness() const {
  std::lock_guard lock(mutex_);
  return lateness_;
}

std::uint64_t ForecastBook::observed() const {
  std::lock_guard lock(mutex_);
  return observed_;
}

void ForecastBook::Scores::add(std::int64_t seconds_later, bool within_range) {
  const auto error = std::abs(seconds_later);
  errors_.add(static_cast<double>(error));
  newest_.emplace_back(error, within_range);
  if (newest_.size() > kNewest) newest_.pop_front();
}

ForecastScore ForecastBook::Scores::newest() const {
  ForecastScore score;
  score.count = newest_.size();
  if (newest_.empty()) return score;
  std::vector<std::int64_t> errors;
  for (const auto& [error, within_range] : newest_) {
    errors.push_back(error);
    score.within_range += within_range ? 1 : 0;
  }
  auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  score.median_error = Seconds{*middle};
  return score;
}

ForecastScore ForecastBook::ours() const {
  std::lock_guard lock(mutex_);
  return ours_.newest();
}

ForecastScore ForecastBook::schedulers() const {
  std::lock_guard lock(mutex_);
  return schedulers_.newest();
}

void ForecastBook::write(Exposition& out) const {
  std::lock_guard lock(mutex_);
  const auto errors = family("schedlens_start_forecast_error_seconds");
  out.histogram(errors, ours_.errors(), "schedlens");
  out.histogram(errors, schedulers_.errors(), "scheduler");
  const auto results = family("schedlens_start_forecasts_scored_total");
  out.sample(results, ours_.within, "within_range");
  out.sample(results, ours_.earlier, "earlier");
  out.sample(results, ours_.later, "later");
  out.sample(family("schedlens_start_forecasts_open"), pages_.size());
  out.sample(family("schedlens_run_times_observed_total"), observed_);
}

}  // namespace schedlens::metrics
