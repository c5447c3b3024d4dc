// SPDX-License-Identifier: Apache-2.0
#pragma once
// One round of reading: runs the commands that are due, one after the other, and builds the next
// Snapshot from what they say and, where they fail or are not due, from the Snapshot before.

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/snapshot.h"
#include "os/clock.h"
#include "os/process.h"
#include "slurm/commands.h"
#include "slurm/node_table.h"
#include "slurm/parsed.h"
#include "slurm/qos_records.h"
#include "slurm/sprio.h"
#include "slurm/value_text.h"

namespace schedlens::slurm {

// One command's past.
struct Source {
  model::SourceStatus status;
  std::optional<std::chrono::steady_clock::time_point> attempted;
  // The Snapshot's part of it is the last read's own.
  bool succeeded() const { return status.last_success.has_value(); }
};

// What is kept from round to round beside the Snapshot.
struct Memory {
  std::array<Source, kSources> sources;
  model::SnapshotPtr last;
  // What slow commands said about jobs, for the next lists of jobs; by job id.
  std::unordered_map<std::uint32_t, std::vector<model::NodeId>> exclusions;
  // One for each partition of the job.
  std::unordered_map<std::uint32_t, std::vector<JobPriority>> priorities;
  std::vector<QosRecord> qos_records;
  TimeReader time;
  // squeue refused a column that the controller's version has: it is an older program.
  bool squeue_is_older = false;

  int squeue_version(std::string_view controller) const;
  Source& source(SourceId id) { return sources[static_cast<std::size_t>(id)]; }
};

class Round {
 public:
  // Once stop is requested it reads no further, and the command that runs is given up: what it was
  // to tell stays as it was.
  Round(const Options& options, os::ProcessRunner& runner, const os::Clock& clock, Memory& memory,
        std::stop_token stop);

  // Is told of each command that fails, with the source's name.
  void on_failure(std::function<void(std::string)> tell) { tell_ = std::move(tell); }

  bool anything_due() const;
  // Fails when nothing could ever be read and there is no sign of a Slurm.
  Result<model::SnapshotPtr> run();
  bool stopped() const { return stop_.stop_requested(); }

 private:
  bool due(SourceId id) const;
  // False for commands that must fail on this cluster as it is configured, such as sacctmgr
  // without an accounting database.
  bool applies(SourceId id) const;
  void read(SourceId id);
  Result<os::Output> run_command(SourceId id);
  // Takes this source's part of the Snapshot over from the one before.
  void keep(SourceId id);
  Result<std::uint64_t> parse(SourceId id, std::string_view text, Complaints& complaints);
  Result<std::uint64_t> take_nodes(std::string_view text, Complaints& complaints);
  Result<std::uint64_t> take_jobs(std::string_view text, Complaints& complaints);
  Result<std::uint64_t> take_exclusions(std::string_view text, Complaints& complaints);
  Result<std::uint64_t> take_priorities(std::string_view text, Complaints& complaints);
  // Node ids are places in the list of nodes: when that changes, what is kept must follow.
  void prepare_renumbering();
  void renumber(std::vector<model::NodeId>& nodes) const;
  void complete_jobs();
  void take_priority(model::Workload& w, const std::vector<JobPriority>& all) const;
  void compare_job_counts();
  void fill_statuses();
  Result<model::SnapshotPtr> nothing_read() const;

  const Options& options_;
  os::ProcessRunner& runner_;
  const os::Clock& clock_;
  Memory& memory_;
  std::stop_token stop_;
  std::function<void(std::string)> tell_;
  std::shared_ptr<model::Snapshot> next_;
  NodeTable nodes_;
  // By old id; empty while the list of nodes is the same.
  std::vector<std::optional<model::NodeId>> new_ids_;
  std::string nonce_;
  int controller_failures_ = 0;  // in a row, in this round
  std::string controller_error_;
};

}  // namespace schedlens::slurm
