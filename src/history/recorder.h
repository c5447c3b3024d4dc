// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes down what each Snapshot of a running server shows: runs that ended, nodes that left
// service or came back, configuration that changed, and the values of the cluster's metrics.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "history/config_versions.h"
#include "history/ended_runs.h"
#include "history/node_changes.h"
#include "memory/reader.h"
#include "memory/store.h"
#include "metrics/samples.h"
#include "model/snapshot.h"

namespace schedlens::history {

class Recorder {
 public:
  // Begins where the last one ended, as the reader knows it. The store must outlive the recorder.
  static Result<Recorder> begin(memory::Store& store, memory::Reader reader);

  // Snapshots in the order of time; one thread. Never waits for the disk.
  void record(const model::Snapshot& snapshot, const CauseOf& cause);
  // Values of one moment.
  void record(Timestamp time, const std::vector<metrics::Sample>& samples);

 private:
  Recorder(memory::Store& store, memory::Reader reader, NodeChanges nodes, ConfigVersions configs)
      : store_(&store),
        before_(std::move(reader)),
        nodes_(std::move(nodes)),
        configs_(std::move(configs)) {}
  // What an earlier process told of, and knew more about.
  void leave_out_told(std::vector<memory::EndedWorkload>& runs);

  memory::Store* store_;
  std::optional<memory::Reader> before_;  // until the first Snapshot
  EndedRuns runs_;
  NodeChanges nodes_;
  ConfigVersions configs_;
  std::unordered_map<std::string, memory::SeriesId> series_;  // by name and labels
};

}  // namespace schedlens::history
