// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where data came from and how far it can be trusted.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace schedlens::model {

enum class SourceState : std::uint8_t {
  kNever,    // no successful read yet
  kFresh,    // the last read succeeded
  kPartial,  // the last read succeeded, but parts of it could not be understood or were not visible
  kStale,    // the last read succeeded and is older than its interval allows
  kFailed    // the last read failed; the data, if any, are of last_success
};

// One thing that is read as a whole, for Slurm one command ("squeue", "scontrol show node").
struct SourceStatus {
  std::string name;
  // The list of the Snapshot that it fills ("nodes", "workloads"), so that an empty list that was
  // read can be told from one that was not; empty for others.
  std::string feeds;
  SourceState state = SourceState::kNever;
  std::optional<Timestamp> last_success;
  std::optional<Timestamp> last_attempt;
  std::string error;                  // of the last attempt, empty when it succeeded
  std::vector<std::string> warnings;  // what could not be understood, at most a few examples
  std::uint64_t unreadable_records = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;       // how long the last read took, waiting included
  std::uint64_t reads = 0;  // since the program started
  std::uint64_t failures = 0;
};

std::string_view state_name(SourceState state);  // "fresh"

}  // namespace schedlens::model
