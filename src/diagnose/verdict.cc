// SPDX-License-Identifier: Apache-2.0
#include "diagnose/verdict.h"

#include <array>

namespace schedlens::diagnose {

std::string_view cause_name(RootCause cause) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"none", "hold", "dependency", "begin_time", "gang", "limit", "licence", "volume",
       "reservation", "constraint", "unhealthy_nodes", "fragmentation", "capacity", "priority",
       "not_considered", "impossible", "unknown"});
  static_assert(kNames.size() == static_cast<std::size_t>(RootCause::kCount));
  return kNames[static_cast<std::size_t>(cause)];
}

}  // namespace schedlens::diagnose
