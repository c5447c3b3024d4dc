// SPDX-License-Identifier: Apache-2.0
#pragma once
// A node's GPUs drawn one character each.

#include <string>

#include "model/node.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// By device index: '#' in use, '.' free, 'x' free on a node out of service. "" for a node without
// GPUs, with more than 16 of them, or where the indexes in use are not known.
std::string gpu_map(const model::Node& node);

// "5/8"; "?/8" when the use is not known, "-" without GPUs.
std::string gpu_use(const model::Node& node);

// "a100", "a100,h100"; "-" where no type is named.
std::string gpu_types(const model::Node& node);

// Parts of GPUs that a Kubernetes node offers: "mig:1g.5gb 3/7,gpu.shared 0/16"; "-" for none.
std::string gpu_parts(const model::Node& node);

// What they are in whole GPUs, as far as that is known: "0.4/1.0".
std::string gpu_parts_worth(const model::Node& node);

// Of all nodes: "mig:1g.5gb 3/7, mig:3g.20gb 1/1; 0.9 of 1.4 GPUs' worth used"; "" for none.
std::string gpu_parts_in_all(const model::Snapshot& snapshot);

// "0-3,6" for ascending indexes.
std::string index_list(const std::vector<std::uint16_t>& indexes);

}  // namespace schedlens::cli
