// SPDX-License-Identifier: Apache-2.0
#pragma once
// The commands that are run, and the environment they run in.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/process.h"
#include "slurm/collector.h"

namespace schedlens::slurm {

// In the order in which a round reads them: what tells how to read comes first.
enum class SourceId : std::uint8_t {
  kConfig,
  kNodes,
  kPartitions,
  kJobs,
  kExclusions,
  kReservations,
  kLicences,
  kAssociations,
  kVitals,
  kQos,
  kPriorities,
  kCount
};
constexpr auto kSources = static_cast<std::size_t>(SourceId::kCount);

struct SourceKind {
  std::string_view name = {};  // as users know it: "squeue", "scontrol show node"
  bool slow = false;           // read at Options::slow_interval
  bool asks_controller = true;
  std::string_view feeds =
      {};  // the Snapshot's list that is empty, not unknown, once this was read
};
const SourceKind& source_kind(SourceId id);

// Until when what was read is not stale: for three of its intervals, as long as a server counts as
// ready. Absent for a source that has no good data or whose state says more already: failed, stale.
std::optional<Timestamp> fresh_until(const model::SourceStatus& source, const Options& options);

// The nonce ends records (rows.h); the version is that of squeue (jobs.h).
os::Command make_command(SourceId id, const Options& options, std::string_view nonce, int version);

// `scontrol show job -d -o JOB` and, for a job that no round has seen yet, its row of squeue.
os::Command make_detail_command(std::string_view job, const Options& options);
os::Command make_row_command(std::string_view job, const Options& options, std::string_view nonce,
                             int version);

// Only what the commands need: PATH, HOME, TZ, SLURM_CONF, SLURM_JWT, LD_LIBRARY_PATH from our own
// environment, and settings that fix the output's form. Variables like SQUEUE_FORMAT, which would
// change it, are not passed on.
std::vector<std::string> command_environment(const Options& options);

// What was looked for and where, for "there is no Slurm here".
std::string where_slurm_was_looked_for(const Options& options);
// A slurm.conf is named, by an option or the environment, and is not there. Slurm's commands would
// look for it elsewhere, for half a minute, before they say so.
bool named_conf_is_missing(const Options& options);
// scontrol can be run, and a slurm.conf read at one of the places it may be in.
bool slurm_seems_installed(const Options& options);

}  // namespace schedlens::slurm
