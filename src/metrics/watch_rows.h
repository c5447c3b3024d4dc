// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is usual for the watched series at this moment, and the alerts, as the page shows them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace schedlens::metrics {

struct BaselineRow {
  std::string_view series;  // of the table of watched series: "pending_jobs"; lives for ever
  std::string of;           // which of them: a partition, a GPU type; empty where there is one
  std::string_view state;   // "normal", "high", "low", "no_baseline", "not_judged"; lives for ever
  bool alarm = false;       // it has been outside for long enough
  std::optional<double> value;
  struct Band {
    double low = 0, centre = 0, high = 0;
  };
  std::optional<Band> band;  // absent: nobody knows what is usual
};

struct AlertCount {
  std::string rule;
  std::string_view severity, phase;  // "critical", "firing"; live for ever
  std::uint64_t count = 0;
};

struct ReceiverRow {
  std::string name;
  bool up = true;  // it took what it was sent last
  std::uint64_t waiting = 0;
  std::optional<Timestamp> last_success;
};

struct WatchRows {
  std::vector<BaselineRow> baselines;
  std::vector<AlertCount> alerts;
  std::vector<ReceiverRow> receivers;
};

}  // namespace schedlens::metrics
