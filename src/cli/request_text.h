// SPDX-License-Identifier: Apache-2.0
#pragma once
// A request in words, in the form in which it was made.

#include <string>
#include <vector>

#include "model/workload.h"

namespace schedlens::cli {

// "4 nodes, 32 GPUs (8 per node), 128 CPUs, 400 GiB per node"
std::string request_sentence(const model::Workload& workload);

// "gpu:a100:8,nvme:1"
std::string gres_list(const std::vector<model::GresCount>& gres);

}  // namespace schedlens::cli
