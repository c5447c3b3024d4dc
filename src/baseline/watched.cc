// SPDX-License-Identifier: Apache-2.0
// Floors: what an operator would not get up for. They are in the unit of the series and hold
// whatever the past says; the limit of 3.5 spreads comes on top, so that a floor of 5 jobs
// means 17.
#include "baseline/watched.h"

namespace schedlens::baseline {
namespace {

using enum Direction;

// A value a minute, each the median of five: in most of five minutes.
constexpr Watched of_minutes(Watched watched) {
  watched.width = {900};
  watched.recent = {300};
  watched.persistence = {3, 5, 0.5};
  return watched;
}

constexpr Watched share(Watched watched) {
  watched.most = 1;
  return of_minutes(watched);
}

// What a counter rose by in the last hour, each minute: already a mean, which five minutes in a row
// hold against a single burst that ends it.
constexpr Watched of_an_hour(Watched watched) {
  watched.kind = SeriesKind::kCounter;
  watched.width = {3600};
  watched.recent = {3600};
  watched.persistence = {5, 6, 0.5};
  return watched;
}

// Floors: absolute, relative, counted.
constexpr Watched kTable[] = {
    of_minutes({.name = "pending_jobs",
                .title = "waiting jobs",
                .metric = "schedlens_job_tasks",
                .where = "state=pending",
                .unit = "jobs",
                .direction = kHigh,
                .floors = {5, 0.15, true}}),
    of_minutes({.name = "partition_pending_jobs",
                .title = "waiting jobs of a partition",
                .metric = "schedlens_partition_tasks",
                .where = "state=pending",
                .per = "partition",
                .unit = "jobs",
                .direction = kHigh,
                .floors = {5, 0.2, true}}),
    of_minutes({.name = "running_jobs",
                .title = "running jobs",
                .metric = "schedlens_job_tasks",
                .where = "state=running",
                .unit = "jobs",
                .direction = kLow,
                .floors = {5, 0.1, true}}),
    of_minutes({.name = "gpus_waiting",
                .title = "GPUs asked for by waiting jobs",
                .metric = "schedlens_queue_gpus_waiting",
                .unit = "GPUs",
                .direction = kHigh,
                .floors = {8, 0.2, true}}),
    share({.name = "gpu_allocated_share",
           .title = "share of the GPUs that is allocated",
           .metric = "schedlens_gpus_used",
           .divisor = "schedlens_gpus",
           .per = "type",
           .unit = "share",
           .direction = kLow,
           .floors = {0.03, 0.03}}),
    share({.name = "partition_gpu_allocated_share",
           .title = "share of a partition's GPUs that is allocated",
           .metric = "schedlens_partition_gpus_used",
           .divisor = "schedlens_partition_gpus",
           .per = "partition",
           .unit = "share",
           .direction = kLow,
           .floors = {0.04, 0.03}}),
    share({.name = "gpu_out_of_service_share",
           .title = "share of the GPUs that is out of service",
           .metric = "schedlens_gpus_out_of_service",
           .divisor = "schedlens_gpus",
           .per = "type",
           .unit = "share",
           .direction = kHigh,
           .floors = {0.01, 0.1}}),
    of_minutes({.name = "gpus_stranded",
                .title = "free GPUs that no usual job can get",
                .metric = "schedlens_gpus_stranded",
                .per = "type",
                .unit = "GPUs",
                .direction = kHigh,
                .floors = {2, 0.2, true}}),
    of_minutes({.name = "oldest_wait",
                .title = "longest wait of an eligible job",
                .metric = "schedlens_pending_oldest_seconds",
                .per = "partition",
                .unit = "s",
                .direction = kHigh,
                .floors = {600, 0.25}}),
    of_an_hour({.name = "mean_wait",
                .title = "mean wait of the jobs that started",
                .metric = "schedlens_job_wait_seconds_sum",
                .where = "since=eligible",
                .divisor = "schedlens_job_wait_seconds_count",
                .per = "partition",
                .unit = "s",
                .direction = kHigh,
                .floors = {120, 0.25}}),
    of_an_hour({.name = "job_starts",
                .title = "starts of jobs",
                .metric = "schedlens_job_wait_seconds_count",
                .where = "since=eligible",
                .per = "partition",
                .unit = "per hour",
                .direction = kLow,
                .floors = {2, 0.15, true}}),
    of_an_hour({.name = "jobs_submitted",
                .title = "submissions of jobs",
                .metric = "schedlens_scheduler_jobs_total",
                .where = "event=submitted",
                .unit = "per hour",
                .direction = kBoth,
                .floors = {5, 0.2, true},
                .resets_daily = true}),
    of_an_hour({.name = "jobs_failed",
                .title = "jobs that the system let fail",
                .metric = "schedlens_scheduler_jobs_total",
                .where = "event=failed",
                .unit = "per hour",
                .direction = kHigh,
                .floors = {1, 0.2, true},
                .resets_daily = true}),
    of_an_hour({.name = "gpu_runs_lost",
                .title = "runs with GPUs that ended badly",
                .metric = "schedlens_lost_gpu_runs_total",
                .per = "cause",
                .unit = "per hour",
                .direction = kHigh,
                .floors = {1, 0.2, true}}),
    of_minutes({.name = "scheduler_cycle",
                .title = "last cycle of the scheduler",
                .metric = "schedlens_scheduler_cycle_last_seconds",
                .per = "cycle",
                .unit = "s",
                .direction = kHigh,
                .floors = {0.25, 0.25}}),
    of_minutes({.name = "scheduler_threads",
                .title = "threads that serve requests",
                .metric = "schedlens_scheduler_server_threads",
                .unit = "threads",
                .direction = kHigh,
                .floors = {5, 0.2, true}}),
    of_minutes({.name = "database_queue",
                .title = "messages that wait for the accounting database",
                .metric = "schedlens_scheduler_database_queue_length",
                .unit = "messages",
                .direction = kHigh,
                .floors = {50, 0.25, true}}),
    of_an_hour({.name = "scheduler_requests",
                .title = "requests that the scheduler served",
                .metric = "schedlens_scheduler_rpcs_total",
                .unit = "per hour",
                .direction = kHigh,
                .floors = {500, 0.2, true}}),
    of_an_hour({.name = "placement_attempts",
                .title = "attempts of kube-scheduler to place a pod",
                .metric = "schedlens_kube_scheduler_attempts_total",
                .per = "result",
                .unit = "per hour",
                .direction = kHigh,
                .floors = {20, 0.2, true}}),
    of_an_hour({.name = "api_requests_rejected",
                .title = "requests that the API server turned away",
                .metric = "schedlens_apiserver_rejected_requests_total",
                .per = "priority_level",
                .unit = "per hour",
                .direction = kHigh,
                .floors = {20, 0.2, true}}),
};

}  // namespace

std::span<const Watched> watched_series() {
  return kTable;
}

const Watched* find_watched(std::string_view name) {
  for (const auto& watched : kTable) {
    if (watched.name == name) return &watched;
  }
  return nullptr;
}

ExpectationOptions options_of(const Watched& watched) {
  ExpectationOptions options;
  options.kind = watched.kind;
  options.floors = watched.floors;
  // What comes out of a division is no count, and no rate per hour.
  if (!watched.divisor.empty()) options.floors.counted = false;
  options.most = watched.most;
  options.limit = watched.limit;
  return options;
}

}  // namespace schedlens::baseline
