// SPDX-License-Identifier: Apache-2.0
#pragma once
// The analyses of one Snapshot, each made when first asked for and kept. One thread at a time; the
// Snapshot must outlive it.

#include <optional>
#include <span>
#include <vector>

#include "api/pending_causes.h"
#include "diagnose/explain.h"
#include "diagnose/fragmentation.h"
#include "diagnose/gpu_ledger.h"
#include "diagnose/holdings.h"
#include "diagnose/observed.h"
#include "model/snapshot.h"

namespace schedlens::api {

class Analyses {
 public:
  explicit Analyses(const model::Snapshot& snapshot) : snapshot_(snapshot) {}

  const diagnose::Holdings& holdings();
  const diagnose::Fragmentation& fragmentation();
  diagnose::GpuLedger gpu_ledger();
  // Everything that waits, by root cause.
  const std::vector<CauseGroup>& causes();
  // The verdicts on the records of one id, as write_why() takes them.
  std::vector<diagnose::Verdict> explain(std::span<const model::WorkloadId> records,
                                         const diagnose::Observed& observed);

 private:
  diagnose::Explainer& explainer();

  const model::Snapshot& snapshot_;
  std::optional<diagnose::Holdings> holdings_;
  std::optional<diagnose::Fragmentation> fragmentation_;
  std::optional<diagnose::Explainer> explainer_;
  std::optional<std::vector<CauseGroup>> causes_;
};

}  // namespace schedlens::api
