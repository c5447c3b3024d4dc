// SPDX-License-Identifier: Apache-2.0
#pragma once
// Single words about a job: its id, its state, its reason.

#include <string_view>

#include "base/result.h"
#include "model/workload.h"

namespace schedlens::slurm {

// "59", "77_3", "77_[1-3,7,9-10:2%5]", "88+1": sets array or het. Job_id is the record's own
// number, from another column, and stays as it is.
Status parse_job_id(std::string_view text, model::Workload& w);

// The waiting tasks of an array, "1-3,7,9-99:2%5" (brackets optional).
struct TaskList {
  std::string tasks;  // without the throttle
  std::uint32_t count = 0;
  std::optional<std::uint32_t> max_running;
};
Result<TaskList> parse_task_list(std::string_view text);

// "RUNNING", "CG": squeue prints one word, and a flag's word hides the state. Sets state, flags
// and unknown_state.
void parse_job_state(std::string_view word, model::Workload& w);

// "Resources", "ReqNodeNotAvail, UnavailableNodes:n[4-5]", "(Nodes required for job are DOWN,
// ...)". Sets reason to the token and reason_text to the whole where it says more.
void parse_job_reason(std::string_view text, model::Workload& w);

// A wait status as one number ("256": exit code 1), or "1:0".
std::optional<model::Exit> parse_exit(std::string_view text);

// "OK", "NO", "YES", "USER", "MCS". From 26.05 on "NO" no longer means a whole node.
model::Sharing parse_sharing(std::string_view word);

}  // namespace schedlens::slurm
