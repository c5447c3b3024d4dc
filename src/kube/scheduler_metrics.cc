// SPDX-License-Identifier: Apache-2.0
#include "kube/scheduler_metrics.h"

#include <algorithm>
#include <array>

#include "kube/metric_names.h"

namespace schedlens::kube {
namespace {

using model::KubeScheduler;

model::SchedulingAttempts& attempts_of(KubeScheduler& k, const Sample& s) {
  const auto profile = label(s, "profile"), result = label(s, "result");
  return item(k.attempts, [&](const auto& a) { return a.profile == profile && a.result == result; },
              {profile, result, 0, {}});
}

void take_attempts(KubeScheduler& k, const Sample& s, Part) {
  attempts_of(k, s).count += s.value;
}

void take_attempt_duration(KubeScheduler& k, const Sample& s, Part part) {
  auto& durations = attempts_of(k, s).durations;
  if (!durations) durations.emplace();
  add(*durations, s, part);
}

void take_pending(KubeScheduler& k, const Sample& s, Part) {
  k.queues.push_back({label(s, "queue"), std::max(0.0, s.value), s.value < 0});
}

void take_incoming(KubeScheduler& k, const Sample& s, Part) {
  k.entries.push_back({label(s, "queue"), label(s, "event"), s.value});
}

void take_extension_point(KubeScheduler& k, const Sample& s, Part part) {
  const auto name = label(s, "extension_point"), profile = label(s, "profile"),
             status = label(s, "status");
  auto& point = item(
      k.extension_points,
      [&](const auto& p) { return p.name == name && p.profile == profile && p.status == status; },
      {name, profile, status, {}});
  add(point.durations, s, part);
}

void take_plugin(KubeScheduler& k, const Sample& s, Part part) {
  const auto plugin = label(s, "plugin"), point = label(s, "extension_point"),
             status = label(s, "status");
  auto& runs = item(k.plugins,
                    [&](const auto& p) {
                      return p.plugin == plugin && p.extension_point == point && p.status == status;
                    },
                    {plugin, point, status, {}});
  add(runs.sampled, s, part);
}

void take_rejecting(KubeScheduler& k, const Sample& s, Part) {
  k.rejecting_plugins.push_back({label(s, "plugin"), label(s, "profile"), std::max(0.0, s.value)});
}

void take_preemption_attempts(KubeScheduler& k, const Sample& s, Part) {
  k.preemption_attempts = s.value;
}

void take_victims(KubeScheduler& k, const Sample& s, Part part) {
  (part == Part::kSum ? k.preemption_victims : k.preemptions) = s.value;
}

template <auto list>
void take_named_durations(KubeScheduler& k, const Sample& s, Part part, std::string_view key) {
  add(named(k.*list, label(s, key)).durations, s, part);
}

void take_permit(KubeScheduler& k, const Sample& s, Part part) {
  take_named_durations<&KubeScheduler::permit_waits>(k, s, part, "result");
}

void take_waits(KubeScheduler& k, const Sample& s, Part part) {
  take_named_durations<&KubeScheduler::waits_by_attempts>(k, s, part, "attempts");
}

void take_cache(KubeScheduler& k, const Sample& s, Part) {
  k.cache.push_back({label(s, "type"), s.value});
}

// "work" up to 1.21, "operation" since.
void take_goroutines(KubeScheduler& k, const Sample& s, Part) {
  const auto operation = s.label("operation").empty() ? label(s, "work") : label(s, "operation");
  k.goroutines.push_back({operation, s.value});
}

void take_flushed(KubeScheduler& k, const Sample& s, Part) {
  k.scheduled_after_flush = s.value;
}

void take_started(KubeScheduler& k, const Sample& s, Part) {
  take_start(k, s);
}

void take_build(KubeScheduler& k, const Sample& s, Part) {
  take_version(k, s);
}

void take_leader(KubeScheduler& k, const Sample& s, Part) {
  if (s.label("name") == "kube-scheduler") k.leader = s.value == 1;
}

constexpr auto kNames = std::to_array<MetricName<KubeScheduler>>({
    {"scheduler_schedule_attempts_total", Shape::kNumber, take_attempts},
    {"scheduler_scheduling_attempt_duration_seconds", Shape::kTotals, take_attempt_duration},
    {"scheduler_e2e_scheduling_duration_seconds",
     Shape::kTotals,
     take_attempt_duration,
     {"scheduler_scheduling_attempt_duration_seconds"}},
    {"scheduler_pending_pods", Shape::kNumber, take_pending},
    {"scheduler_queue_incoming_pods_total", Shape::kNumber, take_incoming},
    {"scheduler_framework_extension_point_duration_seconds", Shape::kTotals, take_extension_point},
    {"scheduler_plugin_execution_duration_seconds", Shape::kTotals, take_plugin},
    {"scheduler_unschedulable_pods", Shape::kNumber, take_rejecting},
    {"scheduler_preemption_attempts_total", Shape::kNumber, take_preemption_attempts},
    {"scheduler_total_preemption_attempts",
     Shape::kNumber,
     take_preemption_attempts,
     {"scheduler_preemption_attempts_total"}},
    {"scheduler_preemption_victims", Shape::kTotals, take_victims},
    {"scheduler_pod_preemption_victims",
     Shape::kTotals,
     take_victims,
     {"scheduler_preemption_victims"}},
    {"scheduler_permit_wait_duration_seconds", Shape::kTotals, take_permit},
    {"scheduler_pod_scheduling_sli_duration_seconds", Shape::kTotals, take_waits},
    {"scheduler_pod_scheduling_duration_seconds",
     Shape::kTotals,
     take_waits,
     {"scheduler_pod_scheduling_sli_duration_seconds"}},
    {"scheduler_cache_size", Shape::kNumber, take_cache},
    {"scheduler_scheduler_cache_size", Shape::kNumber, take_cache, {"scheduler_cache_size"}},
    {"scheduler_goroutines", Shape::kNumber, take_goroutines},
    {"scheduler_scheduler_goroutines", Shape::kNumber, take_goroutines, {"scheduler_goroutines"}},
    {"scheduler_pod_scheduled_after_flush_total", Shape::kNumber, take_flushed},
    {"process_start_time_seconds", Shape::kNumber, take_started},
    {"kubernetes_build_info", Shape::kNumber, take_build},
    {"leader_election_master_status", Shape::kNumber, take_leader},
});

}  // namespace

Result<model::KubeScheduler> read_scheduler_metrics(std::string_view text) {
  KubeScheduler scheduler;
  const auto page = read_metrics<KubeScheduler>(text, kNames, "scheduler_", scheduler);
  if (page.own == 0) {
    return fail("no metric of a kube-scheduler on the page{}{}; is it another program's?",
                page.first_error.empty() ? "" : ": ", page.first_error);
  }
  return scheduler;
}

}  // namespace schedlens::kube
