// SPDX-License-Identifier: Apache-2.0
#include "model/source.h"

namespace schedlens::model {

std::string_view state_name(SourceState state) {
  switch (state) {
    case SourceState::kNever:
      return "never";
    case SourceState::kFresh:
      return "fresh";
    case SourceState::kPartial:
      return "partial";
    case SourceState::kStale:
      return "stale";
    case SourceState::kFailed:
      return "failed";
  }
  return "never";
}

}  // namespace schedlens::model
