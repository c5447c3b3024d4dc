// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kube-scheduler's vitals as its own /metrics says them, in one form for all versions. Counters
// start again from zero when the scheduler restarts: started says when that was. What a version
// does not export is absent.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/symbol.h"
#include "model/component_facts.h"
#include "model/durations.h"

namespace schedlens::model {

// Attempts to place a pod by their result: "scheduled", "unschedulable", "error".
struct SchedulingAttempts {
  Symbol profile;
  Symbol result;
  double count = 0;
  std::optional<Durations> durations;
};

// The pods of one of the scheduler's queues: "active", "backoff", "unschedulable", "gated".
struct SchedulerQueue {
  Symbol queue;
  double pods = 0;
  bool negative = false;  // it said less than none, a known fault of the gauge; pods is 0
};

struct QueueEntries {
  Symbol queue;
  Symbol event;
  double count = 0;
};

// One extension point as a whole, timed on every attempt; status is the framework's code.
struct ExtensionPoint {
  Symbol name;
  Symbol profile;
  Symbol status;
  Durations durations;
};

// One plugin at one extension point. The scheduler times only a sample of its calls.
struct PluginRuns {
  Symbol plugin;
  Symbol extension_point;
  Symbol status;
  Durations sampled;
};

// Pods that a plugin rejected; a pod counts once for each plugin, so these do not add up.
struct RejectingPlugin {
  Symbol plugin;
  Symbol profile;
  double pods = 0;
};

struct KubeScheduler : ComponentFacts {
  std::optional<bool> leader;

  std::vector<SchedulingAttempts> attempts;
  std::vector<SchedulerQueue> queues;
  std::vector<QueueEntries> entries;
  std::vector<ExtensionPoint> extension_points;
  std::vector<PluginRuns> plugins;
  std::vector<RejectingPlugin> rejecting_plugins;
  // Preemption was tried, successful or not: every pod that found no node tries it.
  std::optional<double> preemption_attempts;
  // Preemptions that took place, and the victims of all of them.
  std::optional<double> preemptions;
  std::optional<double> preemption_victims;
  // By result; a wait is counted when it ends.
  std::vector<NamedDurations> permit_waits;
  // Entry into the queue to bound, by the number of attempts that took.
  std::vector<NamedDurations> waits_by_attempts;
  std::vector<NamedCount> cache;       // "nodes", "pods", "assumed_pods"
  std::vector<NamedCount> goroutines;  // by operation
  // Pods that were placed only because the periodic flush woke them: no event had.
  std::optional<double> scheduled_after_flush;
};

}  // namespace schedlens::model
