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

// The argument of -O.
std::string job_format(std::string_view nonce);

// What the parser must know beside the text.
struct JobContext {
  NodeTable& nodes;
  TimeReader& time;
  std::string_view nonce;
  // Slurm's version as a year and month, 2205; from 2605 on OverSubscribe=NO is the ordinary case.
  // 0 when unknown.
  int version = 0;
};

// No output at all is a cluster without jobs; the caller compares with other sources.
Result<Parsed<model::Workload>> parse_jobs(std::string_view text, const JobContext& context);

}  // namespace schedlens::slurm
