// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scheduler itself: its running configuration and its vitals.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"

namespace schedlens::model {

// The configuration the scheduler runs with (for Slurm `scontrol show config`), key by key as
// printed. Secrets are not part of it.
struct SchedulerConfig {
  std::vector<std::pair<std::string, std::string>> entries;

  std::optional<std::string_view> get(std::string_view key) const;
  // One option of a comma separated value: option("SchedulerParameters", "bf_window") is "1440",
  // and "" for an option without a value.
  std::optional<std::string_view> option(std::string_view key, std::string_view name) const;
  std::optional<std::int64_t> number_option(std::string_view key, std::string_view name) const;
  // The value contains this word, whatever its case.
  bool has_word(std::string_view key, std::string_view word) const;
};

struct RpcStats {
  std::string name;  // message type or user
  std::uint64_t count = 0;
  std::uint64_t mean_microseconds = 0;
  std::uint64_t total_microseconds = 0;
};

// How often scheduling cycles ended for one cause since counters were reset.
struct CycleExit {
  std::string cause;  // "end_of_queue", "default_queue_depth", "bf_max_job_test", ...
  std::uint64_t count = 0;
};

// sdiag. Counters start again from zero at midnight UTC, at `sdiag --reset` and at a restart;
// since says when. What the scheduler did not print is absent.
struct SchedulerVitals {
  std::optional<Timestamp> time;
  std::optional<Timestamp> since;
  std::optional<std::uint64_t> server_threads;
  std::optional<std::uint64_t> agent_queue;
  std::optional<std::uint64_t> agents;
  std::optional<std::uint64_t> agent_threads;
  std::optional<std::uint64_t> dbd_queue;

  std::optional<std::uint64_t> jobs_submitted, jobs_started, jobs_completed, jobs_cancelled,
      jobs_failed;
  std::optional<Timestamp> job_states_time;
  std::optional<std::uint64_t> jobs_pending, jobs_running;

  struct Cycle {
    std::optional<std::uint64_t> last_microseconds, max_microseconds, mean_microseconds, total;
    std::optional<std::uint64_t> depth_mean, depth_try_mean, last_depth, last_depth_try;
    std::optional<std::uint64_t> queue_length, queue_length_mean, per_minute;
    std::optional<Timestamp> last_when;
    std::optional<std::uint64_t> table_size, table_size_mean;
    std::vector<CycleExit> exits;
  };
  Cycle main;
  Cycle backfill;
  std::optional<std::uint64_t> backfilled_since_start, backfilled_since_reset, backfilled_het;

  std::vector<RpcStats> rpc_by_type;
  std::vector<RpcStats> rpc_by_user;
};

}  // namespace schedlens::model
