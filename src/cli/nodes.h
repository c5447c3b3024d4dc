// SPDX-License-Identifier: Apache-2.0
#pragma once
// `schedlens nodes` and `schedlens node NAME`.

#include <string>
#include <vector>

#include "api/pending_causes.h"
#include "cli/style.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// One line for each node.
std::string render_nodes(const model::Snapshot& snapshot, const std::vector<model::NodeId>& shown,
                         const Style& style);

// One node with its jobs, its reason and the reservations it stands in.
std::string render_node(const model::Snapshot& snapshot, model::NodeId id, const Style& style);

}  // namespace schedlens::cli
