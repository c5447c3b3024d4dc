// SPDX-License-Identifier: Apache-2.0
#pragma once
// The screen of `schedlens starvation`.

#include <string>

#include "cli/style.h"
#include "diagnose/starvation.h"
#include "model/snapshot.h"

namespace schedlens::cli {

std::string render_starvation(const model::Snapshot& snapshot,
                              const diagnose::Starvation& starvation, const Style& style);

}  // namespace schedlens::cli
