// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a command takes its cluster from: the scheduler itself, a running server, or a file.

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/serve.h"
#include "cli/watcher.h"
#include "diagnose/observed.h"
#include "model/snapshot.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::cli {

// At most one of server, file, slurm (its own commands) and kube (its API server) is chosen; with
// none it is the scheduler, found by itself.
struct Where {
  bool slurm = false;
  std::string slurm_conf;
  std::string slurm_bin;
  KubeOptions kube;
  bool vitals = false;  // of the API server are wanted, too
  bool usage = false;   // what pods use is wanted, too
  std::string server;   // "http://host:port"
  std::string file;
};

// One thread at a time.
class Source {
 public:
  explicit Source(Where where);

  Result<model::SnapshotPtr> read();
  // The Snapshot read last with the details of one more job. Files and servers hold what they hold.
  Result<model::SnapshotPtr> add_detail(std::string_view job);
  // What was seen over time: by the server where the cluster comes from one, else what the Snapshot
  // read last still shows.
  diagnose::Observed observed() const;
  // Null before the first.
  const model::SnapshotPtr& last() const { return last_; }

 private:
  Watcher& watcher();
  Result<model::SnapshotPtr> fetch();

  Where where_;
  os::SystemProcessRunner runner_;
  os::SystemClock clock_;
  std::unique_ptr<Watcher> watcher_;
  model::SnapshotPtr last_;
};

}  // namespace schedlens::cli
