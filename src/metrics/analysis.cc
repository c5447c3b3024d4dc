// SPDX-License-Identifier: Apache-2.0
#include "metrics/analysis.h"

#include "diagnose/explain.h"

namespace schedlens::metrics {
namespace {

CauseCounts count_causes(const model::Snapshot& snapshot,
                         const std::vector<diagnose::RootCause>& causes) {
  CauseCounts counts{};
  for (auto id : snapshot.pending()) {
    const auto& w = snapshot.workload(id);
    auto& count = counts[static_cast<std::size_t>(causes[id.index])];
    count.tasks += model::task_count(w);
    count.gpus += model::gpus_requested(w) * model::task_count(w);
  }
  return counts;
}

}  // namespace

Analysis analyse(const model::Snapshot& snapshot, const std::vector<diagnose::RootCause>& causes) {
  auto fragmentation = diagnose::fragmentation(snapshot);
  auto ledger = diagnose::gpu_ledger(snapshot, fragmentation, causes);
  return {diagnose::holdings(snapshot), std::move(fragmentation), count_causes(snapshot, causes),
          diagnose::compare_usage(snapshot), std::move(ledger)};
}

Analysis analyse(const model::Snapshot& snapshot) {
  std::vector<diagnose::RootCause> causes(snapshot.workloads.size(), diagnose::RootCause::kNone);
  diagnose::Explainer explainer(snapshot);
  for (auto id : snapshot.pending()) causes[id.index] = explainer.classify(id);
  diagnose::ClassWaits waits;
  waits.observe(snapshot);
  auto analysis = analyse(snapshot, causes);
  analysis.starvation = diagnose::find_starving(snapshot, waits, explainer);
  return analysis;
}

}  // namespace schedlens::metrics
