// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything there is to see of alerts at one moment. Immutable once it is shared.

#include <optional>
#include <string>
#include <vector>

#include "alert/alert.h"
#include "alert/silence.h"
#include "base/units.h"

namespace schedlens::alert {

struct ReceiverHealth {
  std::string name;
  std::size_t waiting = 0;  // alerts of which it does not know the latest
  std::string error;        // of the last failure, empty after a success
  std::optional<Timestamp> last_success;
};

struct Board {
  Timestamp time;
  std::vector<Alert> alerts;  // pending, firing, just ended: firing first, critical first
  std::vector<Silence> silences;
  std::vector<ReceiverHealth> receivers;
  std::vector<std::string> notes;  // what could not be told in full
};

}  // namespace schedlens::alert
