// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much of a list of a Snapshot was read.

#include <string_view>

#include "model/snapshot.h"

namespace schedlens::history {

// Of a partial list what is there is there; what is not may have been left out.
struct ReadState {
  bool any = true, whole = true;
};

inline ReadState read_state(const model::Snapshot& s, std::string_view feeds) {
  ReadState read;
  for (const auto& source : s.sources) {
    if (source.feeds != feeds || source.state == model::SourceState::kFresh) continue;
    read.whole = false;
    if (source.state != model::SourceState::kPartial) read.any = false;
  }
  return read;
}

}  // namespace schedlens::history
