// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names that end in numbers as one short list, in the form that Slurm's tools read:
// node0001 node0002 node0003 login -> "login,node[0001-0003]".

#include <span>
#include <string>
#include <vector>

#include "model/snapshot.h"

namespace schedlens::cli {

// Sorted, each name once.
std::string fold_names(std::vector<std::string_view> names);
std::string fold_names(const model::Snapshot& snapshot, std::span<const model::NodeId> nodes);

}  // namespace schedlens::cli
