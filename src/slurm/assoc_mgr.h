// SPDX-License-Identifier: Apache-2.0
#pragma once
// `scontrol show assoc_mgr -o`: users, associations and QOS with their limits and what fills them,
// as slurmctld sees them now.
//
// A limit with its use reads "GrpJobs=40(36)", and "GrpJobs=N(36)" where there is no limit but a
// use. Kept are all limits, and of the rest what group totals (jobs, TRES) and users and accounts
// within a QOS use, where that is not zero.

#include <string_view>
#include <vector>

#include "model/limit.h"
#include "slurm/parsed.h"

namespace schedlens::slurm {

struct AssocMgr {
  std::vector<model::User> users;
  std::vector<model::Association> associations;
  std::vector<model::Qos> qos;
  Complaints complaints;
};
Result<AssocMgr> parse_assoc_mgr(std::string_view text);

}  // namespace schedlens::slurm
