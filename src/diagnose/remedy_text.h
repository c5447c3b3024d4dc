// SPDX-License-Identifier: Apache-2.0
#pragma once
// The small parts of commands that can be pasted.

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/snapshot.h"

namespace schedlens::diagnose {

// One word for a POSIX shell; in quotes only where it needs them.
std::string shell_word(std::string_view text);
// As scontrol names it in an update: "77", "77_3", "88+1"; an array's waiting tasks by the array.
std::string update_id(const model::Workload& w);
// `scontrol update JobId=77 NAME=VALUE`.
std::string update_job(const model::Workload& w, std::string_view name, std::string_view value);
// "days-hh:mm:ss", as Slurm takes it.
std::string slurm_time(Seconds time);
// A string of JSON, which jq takes, too.
std::string json_text(std::string_view text);
// As Kubernetes writes amounts of bytes: "10Gi".
std::string bytes_text(Bytes bytes);
// "node0001,node0002".
std::string node_names(const model::Snapshot& snapshot, const std::vector<model::NodeId>& nodes);

}  // namespace schedlens::diagnose
