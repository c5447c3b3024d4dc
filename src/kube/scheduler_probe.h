// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks one kube-scheduler for its metrics, and keeps its last good answer.

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "kube/access.h"
#include "kube/credentials.h"
#include "model/kube_scheduler.h"
#include "model/source.h"
#include "net/stream_client.h"
#include "os/clock.h"
#include "os/process.h"

namespace schedlens::kube {

// "https://10.0.0.5:10259", with /metrics unless it has a path of its own. By https we show the
// credentials that the API server gets, which the scheduler has checked there; its certificate is
// its own as a rule, so that either its file is named or it is not verified.
struct SchedulerAddress {
  std::string url;
  std::string ca_file;
  bool insecure = false;
  friend bool operator==(const SchedulerAddress&, const SchedulerAddress&) = default;
};

// One thread at a time.
class SchedulerProbe {
 public:
  // The runner and the clock must outlive it.
  SchedulerProbe(SchedulerAddress address, Access access, os::ProcessRunner& runner,
                 const os::Clock& clock);

  // Asks now and waits for the answer, not for ever, and no longer than until it is told to stop.
  void read(const std::stop_token& token = {});

  const model::SourceStatus& status() const { return status_; }
  // The last good answer, also when a later question failed; nothing before the first.
  const std::optional<model::KubeScheduler>& last() const { return last_; }

 private:
  Result<std::string> ask(const std::stop_token& token);

  SchedulerAddress address_;
  Credentials credentials_;
  const os::Clock& clock_;
  model::SourceStatus status_;
  std::optional<model::KubeScheduler> last_;
};

}  // namespace schedlens::kube
