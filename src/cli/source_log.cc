// SPDX-License-Identifier: Apache-2.0
#include "cli/source_log.h"

namespace schedlens::cli {
namespace {

using model::SourceState;

SourceChange change_to(const model::SourceStatus& source) {
  switch (source.state) {
    case SourceState::kFailed:
      return {log::Level::kWarning,
              fmt::format("source failed, its last good data stay source=\"{}\" error=\"{}\"",
                          source.name, source.error)};
    case SourceState::kPartial:
      return {log::Level::kWarning,
              fmt::format("source read in part source=\"{}\" unreadable={} warning=\"{}\"",
                          source.name, source.unreadable_records,
                          source.warnings.empty() ? "" : source.warnings.front())};
    default:
      return {log::Level::kInfo,
              fmt::format("source is {} source=\"{}\" records={}", model::state_name(source.state),
                          source.name, source.records)};
  }
}

}  // namespace

std::vector<SourceChange> source_changes(const model::Snapshot* before,
                                         const model::Snapshot& now) {
  std::vector<SourceChange> changes;
  for (const auto& source : now.sources) {
    const auto* old = before ? before->find_source(source.name) : nullptr;
    // A source that works from the start is nothing to tell.
    auto previous = old ? old->state : SourceState::kFresh;
    if (source.state != previous) changes.push_back(change_to(source));
  }
  return changes;
}

void log_source_changes(const model::Snapshot* before, const model::Snapshot& now) {
  for (const auto& change : source_changes(before, now)) log::write(change.level, change.text);
}

}  // namespace schedlens::cli
