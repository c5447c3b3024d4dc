// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a running server answers from: the newest Snapshot that has been analysed. A Snapshot is
// analysed once, by the thread that publishes it; readers take what is there and never wait for it.

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "api/explained.h"
#include "api/pending_causes.h"
#include "base/result.h"
#include "diagnose/observed.h"
#include "metrics/analysis.h"
#include "metrics/efficiency_tracker.h"
#include "metrics/forecast_book.h"
#include "metrics/wait_tracker.h"
#include "model/snapshot.h"

namespace schedlens::api {

struct Analysed {
  Analysed(model::SnapshotPtr s, const diagnose::ClassWaits& waits);

  const model::Snapshot& snapshot;
  std::shared_ptr<Explained> explained;
  std::vector<CauseGroup> causes;
  metrics::Analysis analysis;
};

class Live {
 public:
  // Asks the source for one job in detail; may be absent.
  using Detail = std::function<Result<model::SnapshotPtr>(std::string_view job)>;
  explicit Live(Detail detail = nullptr) : detail_(std::move(detail)) {}

  // Analyses the Snapshot and puts it in place of the last one. One that adds only details of a job
  // to the last round of reading is not analysed anew. What the cluster did in a gap longer than
  // told is not known. One thread at a time.
  void publish(model::SnapshotPtr snapshot, Seconds longest_gap = Seconds{300});

  // Null before the first.
  std::shared_ptr<const Analysed> current() const;
  const metrics::WaitTracker& waits() const { return waits_; }
  const metrics::EfficiencyTracker& efficiency() const { return efficiency_; }
  const metrics::ForecastBook& forecasts() const { return forecasts_; }
  // The start of what waits: as forecast last, or now where it was not there then.
  diagnose::StartForecast forecast(const model::Snapshot& snapshot, model::WorkloadId id) const;
  diagnose::Observed observed() const;

  struct Job {
    std::shared_ptr<Explained> explained;
    std::vector<model::WorkloadId> records;
  };
  // The records of one job, with details where the source can be asked for them at once: one
  // question at a time, and one a second about jobs that nobody has seen. Fails when there is no
  // such job, or no Snapshot.
  Result<Job> find_job(std::string_view id, bool with_detail);

 private:
  using Clock = std::chrono::steady_clock;
  // Null when it was not asked.
  Result<model::SnapshotPtr> ask_detail(std::string_view id, bool known);
  std::shared_ptr<Explained> explained(model::SnapshotPtr detailed);

  Detail detail_;
  metrics::WaitTracker waits_;
  metrics::EfficiencyTracker efficiency_;
  metrics::ForecastBook forecasts_;
  diagnose::Observed observed_;  // changed by publish() alone, under the mutex
  mutable std::mutex mutex_;     // held for moments
  std::shared_ptr<const Analysed> current_;
  std::mutex asking_;  // held while the source is asked
  std::optional<Clock::time_point> asked_unknown_;
  std::shared_ptr<Explained> detailed_;  // the last answer, so that its analysis is kept
};

}  // namespace schedlens::api
