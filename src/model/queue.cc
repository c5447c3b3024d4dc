// SPDX-License-Identifier: Apache-2.0
#include "model/queue.h"

#include <algorithm>

namespace schedlens::model {

bool Allowed::allows(Symbol name) const {
  return all || std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view state_name(QueueState state) {
  switch (state) {
    case QueueState::kUnknown:
      return "UNKNOWN";
    case QueueState::kUp:
      return "UP";
    case QueueState::kDown:
      return "DOWN";
    case QueueState::kDrain:
      return "DRAIN";
    case QueueState::kInactive:
      return "INACTIVE";
  }
  return "UNKNOWN";
}

}  // namespace schedlens::model
