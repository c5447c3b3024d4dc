// SPDX-License-Identifier: Apache-2.0
#include "api/analyses.h"

#include "api/json_views.h"
#include "diagnose/remedies.h"

namespace schedlens::api {

const diagnose::Holdings& Analyses::holdings() {
  if (!holdings_) holdings_ = diagnose::holdings(snapshot_);
  return *holdings_;
}

const diagnose::Fragmentation& Analyses::fragmentation() {
  if (!fragmentation_) fragmentation_ = diagnose::fragmentation(snapshot_);
  return *fragmentation_;
}

diagnose::GpuLedger Analyses::gpu_ledger() {
  return diagnose::gpu_ledger(snapshot_, fragmentation(), causes_by_id(snapshot_, causes()));
}

const std::vector<CauseGroup>& Analyses::causes() {
  if (!causes_) {
    std::vector<std::pair<model::WorkloadId, diagnose::RootCause>> causes;
    causes.reserve(snapshot_.pending().size());
    for (auto id : snapshot_.pending()) causes.emplace_back(id, explainer().classify(id));
    causes_ = group_by_cause(snapshot_, causes);
  }
  return *causes_;
}

std::vector<diagnose::Verdict> Analyses::explain(std::span<const model::WorkloadId> records,
                                                 const diagnose::Observed& observed) {
  std::vector<diagnose::Verdict> verdicts;
  for (auto id : records_to_explain(snapshot_, records)) {
    verdicts.push_back(explainer().explain(id));
    auto& verdict = verdicts.back();
    verdict.remedies = diagnose::find_remedies(snapshot_, explainer(), verdict, observed.run_times);
    if (model::is_pending(snapshot_.workload(id))) {
      verdict.forecast =
          diagnose::corrected(diagnose::start_forecast(snapshot_, observed.run_times, id),
                              snapshot_.time, observed.lateness);
    }
  }
  return verdicts;
}

diagnose::Explainer& Analyses::explainer() {
  if (!explainer_) explainer_.emplace(snapshot_);
  return *explainer_;
}

}  // namespace schedlens::api
