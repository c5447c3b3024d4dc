// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Snapshot with the Explainer that remembers what it found out about it. Any thread.

#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "diagnose/explain.h"
#include "diagnose/run_times.h"
#include "diagnose/starvation.h"
#include "diagnose/verdict.h"
#include "model/snapshot.h"

namespace schedlens::api {

class Explained {
 public:
  explicit Explained(model::SnapshotPtr snapshot)
      : snapshot_(std::move(snapshot)), explainer_(*snapshot_) {}

  const model::SnapshotPtr& snapshot() const { return snapshot_; }
  // The class of everything that waits.
  std::vector<std::pair<model::WorkloadId, diagnose::RootCause>> classify_pending();
  // What waits beyond its class.
  diagnose::Starvation starvation(const diagnose::ClassWaits& waits);
  // The verdicts on the records of one id, as write_why() takes them.
  std::vector<diagnose::Verdict> explain(std::span<const model::WorkloadId> records,
                                         const diagnose::RunTimes& observed);

 private:
  model::SnapshotPtr snapshot_;
  std::mutex mutex_;
  diagnose::Explainer explainer_;
};

}  // namespace schedlens::api
