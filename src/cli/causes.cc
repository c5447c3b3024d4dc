// SPDX-License-Identifier: Apache-2.0
#include "cli/causes.h"

namespace schedlens::cli {

Causes causes_by_id(const model::Snapshot& snapshot, const std::vector<api::CauseGroup>& groups) {
  Causes causes(snapshot.workloads.size(), diagnose::RootCause::kNone);
  for (const auto& group : groups) {
    for (auto id : group.workloads) causes[id.index] = group.cause;
  }
  return causes;
}

}  // namespace schedlens::cli
