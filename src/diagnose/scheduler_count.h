// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace schedlens::diagnose {

// How many nodes a scheduler turned down for one reason.
struct SchedulerCount {
  std::string reason;
  std::uint32_t count = 0;
  friend bool operator==(const SchedulerCount&, const SchedulerCount&) = default;
};

}  // namespace schedlens::diagnose
