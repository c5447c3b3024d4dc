// SPDX-License-Identifier: Apache-2.0
#pragma once
// `sprio`: the parts of each waiting job's priority, where a multifactor plugin computes one.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/workload.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

// The argument of --format.
std::string sprio_format();

struct JobPriority {
  std::uint32_t job_id = 0;
  Symbol queue;
  model::PriorityFactors factors;
};
// A job in several partitions has a record for each; records come in the order printed.
Result<Parsed<JobPriority>> parse_sprio(std::string_view text);

}  // namespace schedlens::slurm
