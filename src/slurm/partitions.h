// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show partition -o`

#include <string_view>

#include "model/queue.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

Result<Parsed<model::Queue>> parse_partitions(std::string_view text, NodeTable& nodes);

}  // namespace schedlens::slurm
