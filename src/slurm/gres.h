// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slurm's texts about GRES (GPUs, shards, ...) and TRES (amounts of everything that is counted).
// A text that is cut off, or that lacks a count where Slurm prints one, is an error and not zero.

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/resources.h"

namespace schedlens::slurm {

// What a node has, "gpu:a100:8(S:0-1),shard:16". A bare name counts 1. Nothing is known of the use.
Result<std::vector<model::GresPool>> parse_gres_config(std::string_view text);

// What a node has in use, "gpu:a100:3(IDX:0,4-5),shard:0(0/4,0/4)": entered into its pools. A GPU
// that others share in parts is in use, too.
Status apply_gres_used(std::string_view text, std::vector<model::GresPool>& pools);

// What a job holds on a node, "gpu:a100:3(IDX:0,4-5)": total and, where printed, indexes.
Result<std::vector<model::GresPool>> parse_gres_held(std::string_view text);

// What a job asks for: "gres:gpu:8", "gres/gpu:a100:2", "gres/gpu=8", "gpu:a100". No count means
// 1, as sbatch takes it. Parts that are no GRES (the "cpu=4" of tres-per-task) are left out.
Result<std::vector<model::GresCount>> parse_gres_request(std::string_view text);

// "matlab:2,ansys"; remote licences keep their server ("matlab@flex:2").
Result<std::vector<model::GresCount>> parse_licences(std::string_view text);

// "cpu=4,mem=500G,gres/gpu:a100=32"; memory becomes bytes.
Result<model::ResourceCounts> parse_tres(std::string_view text);

// One "name=amount" of it.
std::optional<double> parse_tres_amount(std::string_view name, std::string_view amount);

}  // namespace schedlens::slurm
