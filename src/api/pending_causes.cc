// SPDX-License-Identifier: Apache-2.0
#include "api/pending_causes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace schedlens::api {

std::vector<CauseGroup> group_by_cause(
    const model::Snapshot& snapshot,
    const std::vector<std::pair<model::WorkloadId, diagnose::RootCause>>& causes) {
  std::map<diagnose::RootCause, CauseGroup> groups;
  for (auto [id, cause] : causes) {
    const auto& w = snapshot.workload(id);
    auto& group = groups[cause];
    group.cause = cause;
    group.workloads.push_back(id);
    group.tasks += model::task_count(w);
    group.gpus += model::gpus_requested(w) * model::task_count(w);
    if (auto wait = model::waited(w, snapshot.time)) {
      group.longest_wait = std::max(group.longest_wait.value_or(*wait), *wait);
    }
  }
  std::vector<CauseGroup> out;
  for (auto& [cause, group] : groups) out.push_back(std::move(group));
  std::stable_sort(out.begin(), out.end(), [](const CauseGroup& a, const CauseGroup& b) {
    return std::tuple(a.gpus, a.tasks) > std::tuple(b.gpus, b.tasks);
  });
  return out;
}

Causes causes_by_id(const model::Snapshot& snapshot, const std::vector<CauseGroup>& groups) {
  Causes causes(snapshot.workloads.size(), diagnose::RootCause::kNone);
  for (const auto& group : groups) {
    for (auto id : group.workloads) causes[id.index] = group.cause;
  }
  return causes;
}

}  // namespace schedlens::api
