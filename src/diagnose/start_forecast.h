// SPDX-License-Identifier: Apache-2.0
#pragma once
// When waiting workloads will start, as far as running time limits, observed run times and the
// order of the queue can tell.
//
// The future is played through: every running workload ends when its draw says, and the waiting
// ones are booked into the room in the scheduler's order, each as early as its nodes and its limits
// allow (room_ahead.h, limits_ahead.h). Where run times were observed this is done many times with
// other draws, and the forecast is what the middle of them says, its range what the outer tenths
// leave. Without any, all run to their time limits, which is the latest and not the expected.
//
// Nothing is known of workloads yet to come. The draws follow from the job ids: equal Snapshots
// give equal forecasts.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/units.h"
#include "diagnose/run_times.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct StartForecast {
  // Expected with its range. Absent where run times were never observed.
  std::optional<Timestamp> earliest, expected;
  // With observed run times the end of the range; without, when it starts if all run to their
  // limits. Absent where that is not within sight.
  std::optional<Timestamp> latest;
  std::uint64_t observed = 0;  // ended workloads that the run times were learnt from
  // Why there is none, a clause: "it is held"; the times are absent then.
  std::string unknown;
};

// Of one Snapshot; made at once, read by any thread.
class StartForecasts {
 public:
  struct Options {
    std::size_t most_waiting = 2000;  // from the front of the queue on
    std::size_t courses = 32;         // that are played through
    // Nothing behind this one is looked at.
    std::optional<model::WorkloadId> up_to;
  };
  StartForecasts(const model::Snapshot& snapshot, const RunTimes& observed, const Options& options);
  StartForecasts(const model::Snapshot& snapshot, const RunTimes& observed)
      : StartForecasts(snapshot, observed, Options{}) {}

  // Null for what does not wait or was not looked at.
  const StartForecast* find(model::WorkloadId id) const;
  const std::unordered_map<model::WorkloadId, StartForecast>& all() const { return forecasts_; }

 private:
  std::unordered_map<model::WorkloadId, StartForecast> forecasts_;
};

// Of one workload; what waits behind it is not looked at.
StartForecast start_forecast(const model::Snapshot& snapshot, const RunTimes& observed,
                             model::WorkloadId id);

}  // namespace schedlens::diagnose
