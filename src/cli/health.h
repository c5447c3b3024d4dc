// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scheduler's own condition in a few lines: does it answer, its cycles, its load, its nodes.

#include <string>

#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

struct HealthRoom {
  std::size_t reasons = 4;  // groups of nodes out of service that are listed, the largest first
  bool cycles = true;       // also the main cycle and the RPCs
};

std::string render_health(const model::Snapshot& snapshot, const HealthRoom& room,
                          const Style& style);

}  // namespace schedlens::cli
