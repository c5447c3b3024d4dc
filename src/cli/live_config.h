// SPDX-License-Identifier: Apache-2.0
#pragma once
// The configuration of a running server: the last good one, and what was wrong with a newer one.
// Any thread may read; one reloads.

#include <memory>
#include <mutex>
#include <string>

#include "cli/config.h"
#include "cli/serve.h"

namespace schedlens::cli {

// Puts what the command line says of Kubernetes in place of what the file says.
void apply(const KubeOptions& options, Config& config);

class LiveConfig {
 public:
  // Fails when the file or an option of the command line is wrong.
  static Result<std::unique_ptr<LiveConfig>> load(const ServeOptions& options);

  Config current() const;
  // Of the last reload; empty when it succeeded or there was none.
  std::string reload_error() const;

  // Reads the file again. The error is kept and returned, and the configuration with it; a new one
  // takes effect but for what needs a restart, which the log names.
  Status reload();

 private:
  LiveConfig(ServeOptions options, Config config)
      : options_(std::move(options)), config_(std::move(config)) {}
  // What cannot change while it runs. Under the mutex.
  void keep_for_a_restart(Config& config) const;

  const ServeOptions options_;
  mutable std::mutex mutex_;
  Config config_;
  std::string reload_error_;
};

}  // namespace schedlens::cli
