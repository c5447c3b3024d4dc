// SPDX-License-Identifier: Apache-2.0
#include "diagnose/licence_tests.h"

namespace schedlens::diagnose {

std::vector<MissingLicence> missing_licences(const model::Snapshot& snapshot,
                                             const model::Workload& w) {
  std::vector<MissingLicence> missing;
  for (const auto& asked : w.request.licences) {
    for (const auto& l : snapshot.licences) {
      if (l.name != asked.name) continue;
      auto reserved = w.reservation.empty() ? l.reserved : 0;
      auto used = l.used + l.deficit.value_or(0);
      if (asked.count + used + reserved > l.total) {
        missing.push_back({l.name, asked.count, l.total, used, reserved});
      }
    }
  }
  return missing;
}

}  // namespace schedlens::diagnose
