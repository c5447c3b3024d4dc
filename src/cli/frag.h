// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens frag`: how usable the free GPUs are.

#include <string>

#include "cli/style.h"
#include "diagnose/fragmentation.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// all_nodes: every node on a line of its own, also those that are full or have nothing in use;
// otherwise equal nodes share a line.
std::string render_frag(const model::Snapshot& snapshot, const diagnose::Fragmentation& f,
                        bool all_nodes, const Style& style);

}  // namespace schedlens::cli
