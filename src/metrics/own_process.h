// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this process itself costs. Any thread may ask.

#include <optional>

#include "base/units.h"

namespace schedlens::metrics {

struct ProcessUse {
  std::optional<double> cpu_seconds;  // user and system
  std::optional<Bytes> resident;
  std::optional<Timestamp> started;
};

ProcessUse own_process();

}  // namespace schedlens::metrics
