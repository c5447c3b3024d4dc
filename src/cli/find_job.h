// SPDX-License-Identifier: Apache-2.0
#pragma once
// From what a person types to the records of a job.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/snapshot.h"

namespace schedlens::cli {

// "12", "12_3", "12_[1-40]", "12+1", with blanks around it or not.
bool is_job_id(std::string_view text);
// The ids of lists like "12,13_4" and "202_[3,5]"; fails on what is none.
Result<std::vector<std::string>> job_ids_of(const std::vector<std::string>& lists);
std::string not_a_job_id(std::string_view text);
// What the cluster's workloads could be called: a job id, or "pod" or "namespace/pod".
bool could_be_name(const model::Snapshot& snapshot, std::string_view text);

// "12_3" also finds the record that stands for several waiting tasks, 3 among them. Empty when the
// job is not in the Snapshot.
std::vector<model::WorkloadId> find_job(const model::Snapshot& snapshot, std::string_view id);

// Where a job that is not there may be found.
std::string unknown_job(const model::Snapshot& snapshot, std::string_view id);
std::string unknown_node(const model::Snapshot& snapshot, std::string_view name);

// A node by its name; the name is not made a Symbol for that.
std::optional<model::NodeId> find_node(const model::Snapshot& snapshot, std::string_view name);

// Is task among "1-40,50" or "0-100:4"? What the scheduler has cut off ("1-4,...") may hold any.
bool holds_task(std::string_view waiting_tasks, std::uint32_t task);

}  // namespace schedlens::cli
