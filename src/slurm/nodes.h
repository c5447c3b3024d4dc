// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show node -d -o`

#include <string_view>

#include "model/node.h"
#include "slurm/parsed.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

// Output without a final line end was cut off, and empty output is no answer: both are errors.
Result<Parsed<model::Node>> parse_nodes(std::string_view text, TimeReader& time);

// "bad fan [root@2026-11-30T03:07:11]"
model::NodeReason parse_node_reason(std::string_view text, TimeReader& time);

}  // namespace schedlens::slurm
