// SPDX-License-Identifier: Apache-2.0
// The scheduler's own statistics. Counters are exported as the scheduler counts them: they start
// again when it does, as Prometheus expects of counters.
#include <algorithm>

#include "metrics/parts.h"

namespace schedlens::metrics {
namespace {

using model::SchedulerVitals;
using Cycle = SchedulerVitals::Cycle;
using Count = std::optional<std::uint64_t>;

std::optional<double> seconds(Count microseconds) {
  if (!microseconds) return std::nullopt;
  return static_cast<double>(*microseconds) / 1e6;
}

void write_cycles(const SchedulerVitals& v, Exposition& out) {
  auto both = [&](FamilyRef f, auto value) {
    out.sample(f, value(v.main), "main");
    out.sample(f, value(v.backfill), "backfill");
  };
  auto number = [&](FamilyRef f, Count Cycle::*field) {
    both(f, [&](const Cycle& c) { return c.*field; });
  };
  auto time = [&](FamilyRef f, Count Cycle::*field) {
    both(f, [&](const Cycle& c) { return seconds(c.*field); });
  };
  time(family("schedlens_scheduler_cycle_last_seconds"), &Cycle::last_microseconds);
  time(family("schedlens_scheduler_cycle_max_seconds"), &Cycle::max_microseconds);
  time(family("schedlens_scheduler_cycle_mean_seconds"), &Cycle::mean_microseconds);
  number(family("schedlens_scheduler_cycles_total"), &Cycle::total);
  number(family("schedlens_scheduler_cycles_per_minute"), &Cycle::per_minute);
  number(family("schedlens_scheduler_cycle_depth_mean"), &Cycle::depth_mean);
  number(family("schedlens_scheduler_cycle_depth_tried_mean"), &Cycle::depth_try_mean);
  number(family("schedlens_scheduler_cycle_depth_last"), &Cycle::last_depth);
  number(family("schedlens_scheduler_cycle_depth_tried_last"), &Cycle::last_depth_try);
  number(family("schedlens_scheduler_cycle_queue_length"), &Cycle::queue_length);
  number(family("schedlens_scheduler_cycle_queue_length_mean"), &Cycle::queue_length_mean);
  number(family("schedlens_scheduler_cycle_table_size"), &Cycle::table_size);
  number(family("schedlens_scheduler_cycle_table_size_mean"), &Cycle::table_size_mean);
  for (const auto& e : v.main.exits) {
    out.sample(family("schedlens_scheduler_cycle_exits_total"), e.count, "main", e.cause);
  }
  for (const auto& e : v.backfill.exits) {
    out.sample(family("schedlens_scheduler_cycle_exits_total"), e.count, "backfill", e.cause);
  }
  both(family("schedlens_scheduler_last_cycle_timestamp_seconds"),
       [](const Cycle& c) { return c.last_when; });
  both(family("schedlens_scheduler_last_cycle_age_seconds"),
       [&](const Cycle& c) -> std::optional<Seconds> {
         if (!c.last_when || !v.time || *v.time < *c.last_when) return std::nullopt;
         return *v.time - *c.last_when;
       });
}

void write_rpcs(std::vector<model::RpcStats> rpcs, FamilyRef count, FamilyRef time,
                Exposition& out) {
  std::stable_sort(rpcs.begin(), rpcs.end(), [](const auto& a, const auto& b) {
    return a.total_microseconds > b.total_microseconds;
  });
  for (const auto& r : rpcs) out.sample(count, r.count, r.name);
  for (const auto& r : rpcs) out.sample(time, seconds(r.total_microseconds), r.name);
}

}  // namespace

void write_scheduler(const SchedulerVitals& v, Exposition& out) {
  out.sample(family("schedlens_scheduler_statistics_timestamp_seconds"), v.time);
  out.sample(family("schedlens_scheduler_statistics_since_timestamp_seconds"), v.since);
  out.sample(family("schedlens_scheduler_server_threads"), v.server_threads);
  out.sample(family("schedlens_scheduler_agent_queue_length"), v.agent_queue);
  out.sample(family("schedlens_scheduler_agents"), v.agents);
  out.sample(family("schedlens_scheduler_agent_threads"), v.agent_threads);
  out.sample(family("schedlens_scheduler_database_queue_length"), v.dbd_queue);
  constexpr auto kJobs = family("schedlens_scheduler_jobs_total");
  out.sample(kJobs, v.jobs_submitted, "submitted");
  out.sample(kJobs, v.jobs_started, "started");
  out.sample(kJobs, v.jobs_completed, "completed");
  out.sample(kJobs, v.jobs_cancelled, "cancelled");
  out.sample(kJobs, v.jobs_failed, "failed");
  out.sample(family("schedlens_scheduler_jobs"), v.jobs_pending, "pending");
  out.sample(family("schedlens_scheduler_jobs"), v.jobs_running, "running");
  write_cycles(v, out);
  out.sample(family("schedlens_scheduler_backfilled_jobs_total"), v.backfilled_since_start);
  out.sample(family("schedlens_scheduler_backfilled_het_components_total"), v.backfilled_het);
  write_rpcs(v.rpc_by_type, family("schedlens_scheduler_rpcs_total"),
             family("schedlens_scheduler_rpc_seconds_total"), out);
  write_rpcs(v.rpc_by_user, family("schedlens_scheduler_user_rpcs_total"),
             family("schedlens_scheduler_user_rpc_seconds_total"), out);
}

}  // namespace schedlens::metrics
