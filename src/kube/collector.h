// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kubernetes as a source: watches a cluster through its API server and publishes Snapshots.
//
// What is watched is held once and kept up to date; a Snapshot is made of it once per interval.
// Where the server cannot be reached, or does not let us, the last good data stay, and the
// Snapshot's SourceStatus says how old they are and why.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "kube/components.h"
#include "kube/gpu_names.h"
#include "kube/kubeconfig.h"
#include "kube/kubelets.h"
#include "kube/usage_options.h"
#include "model/snapshot.h"
#include "model/state_choice.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::kube {

struct Options {
  Choice choice;
  std::string ns;                              // pods of this namespace only; empty: all
  Seconds interval{15};                        // between two Snapshots
  std::chrono::milliseconds patience{60'000};  // for the first lists
  model::StateChoice details;                  // kinds that are kept in detail
  std::vector<GpuName> gpus;                   // beside those that are known, and before them
  // Whose metrics are read.
  std::vector<PageAddress> schedulers;
  std::vector<PageAddress> etcd;
  bool api_server = false;
  KubeletOptions kubelets;
  UsageOptions usage;  // who is asked what is used
};

// So long a server with nothing new to tell may leave us without a word.
Seconds longest_quiet();

class Collector {
 public:
  // The runner and the clock must outlive the collector.
  Collector(Options options, os::ProcessRunner& runner, const os::Clock& clock);
  ~Collector();

  // The cluster as it is now: waits for the first lists, and publishes the result. Fails when
  // neither nodes nor pods were ever read: the error says what was asked for and what came.
  Result<model::SnapshotPtr> collect();

  // The last published Snapshot, null before the first. Any thread.
  model::SnapshotPtr current() const;
  // Why there is none yet; empty once there was one. Any thread.
  std::string first_read_trouble() const;

  // Publishes in a thread of its own until stop() (or the destructor), which joins it.
  void start();
  void stop();
  // The interval takes effect at once; what names another cluster needs a new collector.
  void set_options(Options options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace schedlens::kube
