// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scheduler of a cluster read directly: Slurm through its commands, Kubernetes through its API
// server. What differs between the two ends here.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/config.h"
#include "model/snapshot.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::cli {

class Watcher {
 public:
  virtual ~Watcher() = default;

  // Reads what is due and publishes the result.
  virtual Result<model::SnapshotPtr> collect() = 0;
  // The same, with the details of one workload that cost a question of their own.
  virtual Result<model::SnapshotPtr> collect_with_detail(std::string_view workload) = 0;
  // The last published Snapshot, null before the first. Any thread.
  virtual model::SnapshotPtr current() const = 0;

  // Collects in a thread of its own until stop(), which joins it.
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void configure(const Config& config) = 0;

  // For /readyz. Any thread.
  virtual Seconds interval(const Config& config) const = 0;
  // How old the data of a source that works may become while there is nothing new to read.
  virtual Seconds longest_quiet() const { return {0}; }
  virtual std::vector<std::string> essential_sources() const = 0;
  // While nothing was read: what is in the way; empty otherwise.
  virtual std::string first_read_trouble() const = 0;
};

// The scheduler that the configuration names, or else the one that is found here: Slurm where its
// commands are, otherwise Kubernetes where a kubeconfig or a service account is. The runner and the
// clock must outlive it.
std::unique_ptr<Watcher> make_watcher(const Config& config, os::ProcessRunner& runner,
                                      const os::Clock& clock);

}  // namespace schedlens::cli
