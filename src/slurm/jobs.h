// SPDX-License-Identifier: Apache-2.0
#pragma once
// All jobs, from one `squeue -O` with columns of our choice
// (see rows.h). A job's name is the free text among them.

#include <string>
#include <string_view>

#include "model/workload.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

// From this version on squeue has a column for exclusive nodes, and OverSubscribe is NO for every
// job that did not ask to share its own. Before, NO meant exclusive; earlier versions of squeue
// refuse the column.
constexpr int kExclusiveColumnSince = 2605;

// The argument of -O for this version of squeue.
std::string job_format(std::string_view nonce, int version);

// What the parser must know beside the text.
struct JobContext {
  NodeTable& nodes;
  TimeReader& time;
  std::string_view nonce;
  // squeue's version as a year and month, 2205; 0 when unknown.
  int version = 0;
};

// No output at all is a cluster without jobs; the caller compares with other sources.
Result<Parsed<model::Workload>> parse_jobs(std::string_view text, const JobContext& context);

}  // namespace schedlens::slurm
