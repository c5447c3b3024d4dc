// SPDX-License-Identifier: Apache-2.0
#pragma once
// Licences that a workload asks for and that are not free.

#include <cstdint>
#include <vector>

#include "base/symbol.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

struct MissingLicence {
  Symbol name;
  std::uint64_t asked = 0;
  std::uint64_t total = 0;
  std::uint64_t used = 0;      // in use, here and elsewhere
  std::uint64_t reserved = 0;  // for reservations that the workload is not part of
  bool never() const { return asked > total; }
};

// Of alternatives, none as long as one of them is free.
std::vector<MissingLicence> missing_licences(const model::Snapshot& snapshot,
                                             const model::Workload& w);

}  // namespace schedlens::diagnose
