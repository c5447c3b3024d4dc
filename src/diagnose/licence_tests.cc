// SPDX-License-Identifier: Apache-2.0
#include "diagnose/licence_tests.h"

#include <algorithm>

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
  if (!w.request.any_licence) return missing;
  if (missing.size() < w.request.licences.size()) return {};
  // Of alternatives only those are worth waiting for that can ever be had.
  auto never = [](const MissingLicence& l) { return l.never(); };
  if (!std::all_of(missing.begin(), missing.end(), never)) std::erase_if(missing, never);
  return missing;
}

}  // namespace schedlens::diagnose
