// SPDX-License-Identifier: Apache-2.0
#pragma once
// How old the data behind a screen are, and what is wrong with them.

#include <string>

#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// One line with the ages, in short on a terminal; a further line for each that is not fresh.
std::string render_sources(const model::Snapshot& snapshot, const Style& style);

// Only the lines for those that are not fresh; "" when all are.
std::string render_troubled_sources(const model::Snapshot& snapshot, const Style& style);

}  // namespace schedlens::cli
