// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slurm as a source: reads a cluster through its own commands and publishes Snapshots.
//
// Every command runs at most once per interval, however many readers there are. A command that
// fails leaves its last good data in place; the Snapshot's SourceStatus says how old they are and
// what went wrong. Slurm's words end here.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/snapshot.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::slurm {

struct Options {
  std::string slurm_conf;      // SLURM_CONF for the commands; empty: as in our own environment
  std::string bin_dir;         // where the commands are; empty: found in PATH
  Seconds interval{30};        // between reads of jobs and nodes
  Seconds slow_interval{300};  // between reads of what rarely changes (configuration, QOS)
  Seconds timeout{30};         // for one command
};

class Collector {
 public:
  // The runner and the clock must outlive the collector.
  Collector(Options options, os::ProcessRunner& runner, const os::Clock& clock);
  ~Collector();

  // Reads what is due now (everything the first time) and publishes the result. Fails only when
  // Slurm is not there at all: the error says what was looked for and where.
  Result<model::SnapshotPtr> collect();

  // Reads one job in detail (per-node allocation with device indexes, exclusions, ranges) and
  // returns the current Snapshot with that job's records completed. For "12", "12_3", "12+1".
  Result<model::SnapshotPtr> collect_with_detail(std::string_view job);

  // The last published Snapshot, null before the first. Any thread. Sources that have grown old
  // since then are stale in it.
  model::SnapshotPtr current() const;

  // Before the first Snapshot: the last failure, by source; empty when there was none, and after
  // it, when the Snapshot itself says what failed. Any thread.
  std::string first_read_trouble() const;

  // Collects in a thread of its own until stop() (or the destructor), which joins it. stop() also
  // gives up the command that runs, whoever asked for it, and Slurm is not asked again before the
  // next start().
  void start();
  void stop();
  // From the next round on; any thread. Data already read stay.
  void set_options(Options options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace schedlens::slurm
