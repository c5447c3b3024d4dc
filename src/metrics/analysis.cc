// SPDX-License-Identifier: Apache-2.0
#include "metrics/analysis.h"

#include "diagnose/explain.h"

namespace schedlens::metrics {

CauseCounts count_causes(const model::Snapshot& snapshot) {
  CauseCounts counts{};
  diagnose::Explainer explainer(snapshot);
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    auto& count = counts[static_cast<std::size_t>(explainer.classify(id))];
    count.tasks += model::task_count(w);
    count.gpus += model::gpus_requested(w) * model::task_count(w);
  }
  return counts;
}

Analysis analyse(const model::Snapshot& snapshot) {
  return {diagnose::holdings(snapshot), diagnose::fragmentation(snapshot), count_causes(snapshot),
          diagnose::compare_usage(snapshot)};
}

}  // namespace schedlens::metrics
