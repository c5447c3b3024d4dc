// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `schedlens serve` watches over: what is usual for the cluster's series, and the alerts.

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "api/routes.h"
#include "base/result.h"
#include "cli/config.h"
#include "cli/keeper.h"
#include "metrics/samples.h"
#include "os/clock.h"
#include "os/process.h"
#include "watch/alarms.h"
#include "watch/usual.h"

namespace schedlens::cli {

class Guard {
 public:
  // Takes up what the keeper, which may be null, remembers. Fails on rules, holidays and the like
  // that are wrong. Keeper, runner and clock must outlive it.
  static Result<std::unique_ptr<Guard>> open(const Config& config, Keeper* keeper,
                                             os::ProcessRunner& runner, const os::Clock& clock);

  // After each Snapshot; minute: the values of the cluster's metrics, once a minute. One thread.
  void look(const api::Context& context, const std::vector<metrics::Sample>* minute);
  // The rules of the directory anew; those in force stay when they are wrong.
  Status reload_rules(const std::string& directory);

  // Any thread.
  std::shared_ptr<const metrics::WatchRows> rows() const;
  std::shared_ptr<const alert::Board> board() const { return alarms_.board(); }

 private:
  Guard(baseline::Calendar calendar, std::vector<alert::Rule> rules, alert::Labels labels,
        const os::Clock& clock)
      : usual_(std::move(calendar)), alarms_(std::move(rules), std::move(labels), clock) {}

  std::filesystem::path data_dir_;  // empty without one
  watch::Usual usual_;
  watch::Alarms alarms_;
  mutable std::mutex mutex_;  // of rows_
  std::shared_ptr<const metrics::WatchRows> rows_;
};

}  // namespace schedlens::cli
