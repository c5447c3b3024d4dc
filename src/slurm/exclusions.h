// SPDX-License-Identifier: Apache-2.0
#pragma once
// The nodes that waiting jobs exclude, which squeue 22.05 cannot print among the other columns:
// `squeue -h -t PD -o "%A...%x..."`

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

// The argument of -o.
std::string exclusion_format(std::string_view nonce);

struct Exclusion {
  std::uint32_t job_id = 0;
  std::vector<model::NodeId> nodes;  // empty: it excludes none
};
Result<Parsed<Exclusion>> parse_exclusions(std::string_view text, NodeTable& nodes,
                                           std::string_view nonce);

}  // namespace schedlens::slurm
