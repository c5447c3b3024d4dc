// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tells the log when a source fails and when it is back: once for each change, not once a round.

#include <string>
#include <vector>

#include "base/log.h"
#include "model/snapshot.h"

namespace schedlens::cli {

struct SourceChange {
  log::Level level;
  std::string text;
};

// What changed between two snapshots; before is null for the first.
std::vector<SourceChange> source_changes(const model::Snapshot* before, const model::Snapshot& now);

void log_source_changes(const model::Snapshot* before, const model::Snapshot& now);

}  // namespace schedlens::cli
