// SPDX-License-Identifier: Apache-2.0
#pragma once
// Node states in every spelling that Slurm's tools print.

#include <string_view>

#include "model/node.h"

namespace schedlens::slurm {

// Sets state, flags and unknown_states of the node: "MIXED+DRAIN+PLANNED", "DOWN*+DRAIN",
// "idle~", "mixed-", "drng", "inval".
void parse_node_state(std::string_view text, model::Node& node);

}  // namespace schedlens::slurm
