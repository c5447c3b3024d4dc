// SPDX-License-Identifier: Apache-2.0
#include "api/explained.h"

#include "api/json_views.h"
#include "diagnose/remedies.h"

namespace schedlens::api {

std::vector<std::pair<model::WorkloadId, diagnose::RootCause>> Explained::classify_pending() {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<model::WorkloadId, diagnose::RootCause>> causes;
  causes.reserve(snapshot_->pending().size());
  for (auto id : snapshot_->pending()) causes.emplace_back(id, explainer_.classify(id));
  return causes;
}

diagnose::Starvation Explained::starvation(const diagnose::ClassWaits& waits) {
  std::lock_guard lock(mutex_);
  return diagnose::find_starving(*snapshot_, waits, explainer_);
}

std::vector<diagnose::Verdict> Explained::explain(std::span<const model::WorkloadId> records,
                                                  const diagnose::RunTimes& observed) {
  std::vector<diagnose::Verdict> verdicts;
  std::lock_guard lock(mutex_);
  for (auto id : records_to_explain(*snapshot_, records)) {
    verdicts.push_back(explainer_.explain(id));
    auto& v = verdicts.back();
    v.remedies = diagnose::find_remedies(*snapshot_, explainer_, v, observed);
  }
  return verdicts;
}

}  // namespace schedlens::api
