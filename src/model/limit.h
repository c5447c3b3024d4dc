// SPDX-License-Identifier: Apache-2.0
#pragma once
// Limits that administrators set on use, with the use that fills them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "base/units.h"
#include "model/resources.h"

namespace schedlens::model {

// What a limit bounds; the names are Slurm's (sacctmgr, assoc_mgr). kMax*PerUser and *PerAccount
// belong to a QOS; the holder says whose.
enum class LimitKind : std::uint8_t {
  kGrpJobs,
  kGrpJobsAccrue,
  kGrpSubmitJobs,
  kGrpWall,  // minutes
  kGrpTres,
  kGrpTresMins,
  kGrpTresRunMins,
  kMaxJobs,
  kMaxJobsAccrue,
  kMaxSubmitJobs,
  kMaxWallPerJob,  // minutes
  kMaxTresPerJob,
  kMaxTresPerNode,
  kMaxTresMinsPerJob,
  kMinTresPerJob,
  kMinPrioThreshold,
  kMaxJobsPerUser,
  kMaxJobsAccruePerUser,
  kMaxSubmitJobsPerUser,
  kMaxTresPerUser,
  kMaxTresRunMinsPerUser,
  kMaxJobsPerAccount,
  kMaxJobsAccruePerAccount,
  kMaxSubmitJobsPerAccount,
  kMaxTresPerAccount,
  kMaxTresRunMinsPerAccount,
  kCount
};
std::string_view limit_name(LimitKind kind);  // "GrpTRES"

// One bound and what is used of it. Resource is the TRES name, empty where the limit counts jobs or
// minutes. Memory is in bytes.
struct Limit {
  LimitKind kind = LimitKind::kGrpJobs;
  Symbol resource;
  std::optional<double> limit;  // absent: no limit, only the use is known
  std::optional<double> used;   // absent: the scheduler keeps no use for it
};

// The limits of one QOS for one user or one account, with that one's use.
struct LimitHolder {
  Symbol name;
  std::vector<Limit> limits;
};

struct Qos {
  Symbol name;
  std::uint32_t id = 0;
  std::uint64_t priority = 0;
  std::optional<double> usage_raw;
  std::string preempt_mode;
  // QOS that jobs of this one may preempt; absent when not read (it comes from the accounting
  // database, not from the scheduler).
  std::optional<std::vector<Symbol>> preempts;
  // How long its jobs run before they may be preempted: its own, else the scheduler's.
  std::optional<Seconds> preempt_exempt_time;
  // DenyOnLimit, OverPartQOS, NoReserve, PartitionTimeLimit, ...; absent when not read.
  std::optional<std::vector<std::string>> flags;
  std::optional<double> usage_factor;
  std::vector<Limit> limits;          // of the QOS as a whole and per job
  std::vector<LimitHolder> users;     // per user
  std::vector<LimitHolder> accounts;  // per account
  // Per-user and per-account bounds themselves, for those with no use yet.
  std::vector<Limit> each_user;
  std::vector<Limit> each_account;
};

// An account, or a user within an account (and, rarely, a partition).
struct Association {
  std::uint32_t id = 0;
  std::optional<std::uint32_t> parent_id;
  Symbol account;
  Symbol user;   // empty for the account itself
  Symbol queue;  // usually empty
  std::optional<std::uint64_t> shares;
  std::optional<double> shares_normalized;
  std::optional<double> level_fair_share;
  std::optional<double> fair_share_factor;
  std::optional<double> usage_raw;
  std::optional<double> usage_effective;
  std::vector<Limit> limits;
};

struct User {
  Symbol name;
  std::uint32_t uid = 0;
  Symbol default_account;
  std::string admin_level;
};

}  // namespace schedlens::model
