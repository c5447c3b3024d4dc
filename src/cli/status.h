// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens status`: who holds the resources, are the decisions reasonable, is the scheduler
// healthy, on one screen.

#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "cli/style.h"
#include "diagnose/fragmentation.h"
#include "diagnose/holdings.h"
#include "model/snapshot.h"

namespace schedlens::cli {

struct StatusFacts {
  diagnose::Holdings holdings;
  diagnose::Fragmentation fragmentation;
  std::vector<api::CauseGroup> causes;
};

// Fits 80 x 24 on a small screen and 100 x 40 otherwise.
std::string render_status(const model::Snapshot& snapshot, const StatusFacts& facts,
                          const Style& style);

}  // namespace schedlens::cli
